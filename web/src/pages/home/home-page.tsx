import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { failureHint } from '../../lib/join-failure.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import styles from './home-page.module.css';

const STEPS = [
  ['Code scannen', 'Der Code liegt auf dem Tisch. Kein Konto, keine App: nur ein Name.'],
  ['Fotos auswählen', 'So viele Sie wollen, in voller Qualität. Es geht weiter, auch wenn das Netz kurz fehlt.'],
  ['Gemeinsam erinnern', 'Der Gastgeber sammelt alles in einer Galerie und lädt es als ein ZIP.'],
];

/** /: most who type the address are guests, so the code comes first. */
export default function HomePage() {
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isEventCode(code) || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await call('GET /event/:code', { params: { code } });
      navigate(`/event/${code}`);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <PublicPage width="full">
      <div className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>
            Alle Fotos vom Fest. <span>An einem Ort.</span>
          </h1>
          <p>
            Gäste laden ihre Bilder vom Handy hoch, Sie bekommen die Originale. Verschlüsselt gespeichert und 30 Tage nach dem Event
            gelöscht.
          </p>
        </div>
        <form className={styles.join} onSubmit={(event) => void submit(event)}>
          <h2>{join.title}</h2>
          <CodeField value={code} onChange={setCode} counter="filled" />
          {failure !== null && (
            <Notice kind="error">
              <strong>{join.failed}</strong>
              {failureHint(failure) && <span>{failureHint(failure)}</span>}
            </Notice>
          )}
          <Button type="submit" wide busy={busy} disabled={!isEventCode(code)}>
            {join.title}
          </Button>
        </form>
      </div>
      <ol className={styles.steps}>
        {STEPS.map(([title, text]) => (
          <li key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </PublicPage>
  );
}
