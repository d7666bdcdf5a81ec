import type { Disclosure, Erasure } from '@feierbild/contract/calls/data-subject-requests.ts';
import { BACKUPS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { Download, Search } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatDay, formatInstant, plural } from '../../lib/format.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { AdminFrame } from './admin-frame.tsx';
import styles from './data-subject-requests.module.css';

/** /admin/auskunft: the stored data of a person, to disclose or delete them without showing a photo. */
export default function DataSubjectRequestsPage() {
  /** The answer with its question, because another one may be typed before the answer comes. */
  const [answer, setAnswer] = useState<{ asked: string; found: Disclosure } | null>(null);
  const { field, typed, onSubmit, failure, busy } = useForm({ ask: window.location.hash }, () => setAnswer(null));
  const [asking, setAsking] = useState(false);
  const [erased, setErased] = useState<Erasure | null>(null);
  const found = answer?.asked === typed.ask ? answer.found : null;

  async function look(): Promise<void> {
    setErased(null);
    const { ask } = typed;
    setAnswer({ asked: ask, found: await call('POST /admin/disclosure', { body: { ask } }) });
  }

  async function erase(): Promise<void> {
    setErased(await call('POST /admin/disclosure/erase', { body: { ask: typed.ask } }));
    setAnswer(null);
    setAsking(false);
  }

  return (
    <AdminFrame
      title="Auskunft und Löschung"
      lead="Was über eine Person gespeichert ist (Art. 15 und 17 DSGVO). Sie sehen dabei kein Foto. Jede Suche steht im Protokoll."
      className={styles.page}
    >
      <form className={styles.form} noValidate onSubmit={onSubmit(look)}>
        <Field
          label="Link des Geräts oder Kennung eines Fotos"
          hint="Den Link bekommt ein Gast auf der Seite „Datenschutz“ unter „Ihre Rechte“. Die Kennung eines Fotos steht in seiner Meldung."
          autoComplete="off"
          spellCheck={false}
          {...field('ask')}
        />
        <FormEnd failure={failure} busy={busy}>
          <Search size={20} /> Suchen
        </FormEnd>
      </form>
      {erased && (
        <Notice kind="success">
          Gelöscht: {plural(erased.photos.length, 'ein Foto', '# Fotos')}
          {erased.device && ' und alles Weitere von diesem Gerät'}. In Sicherungen ist es bis zum {formatInstant(erased.backups_gone_by)},
          wenn sie wie vorgesehen höchstens {BACKUPS_KEPT_DAYS} Tage aufbewahrt werden.
        </Notice>
      )}
      {found && <FoundData found={found} onErase={() => setAsking(true)} />}
      {found && asking && (
        <ConfirmDialog
          title="Endgültig löschen?"
          confirm="Endgültig löschen"
          look="danger"
          onClose={() => setAsking(false)}
          onConfirm={erase}
        >
          <p>
            {plural(found.photos.length, 'Ein Foto', '# Fotos')} aus dem Event {found.event.code}
            {found.device && ' und alles Weitere von diesem Gerät'} werden gelöscht. In Sicherungen bleibt es, bis auch sie gelöscht sind,
            wie vorgesehen nach höchstens {BACKUPS_KEPT_DAYS} Tagen.
          </p>
        </ConfirmDialog>
      )}
    </AdminFrame>
  );
}

export function FoundData({ found, onErase }: { found: Disclosure; onErase(): void }) {
  const { event, device, photos } = found;
  return (
    <section className={styles.kept} aria-label="Gefunden">
      <h2>
        {event.title} ({event.code})
      </h2>
      <DescriptionList
        className={styles.list}
        items={[
          ['Wird gelöscht nach dem', formatDay(event.deletion_date)],
          ['Gerät bekannt seit', device?.first_seen_at ? formatInstant(device.first_seen_at) : null],
          ['Angefangene Übertragungen', device && String(device.open_uploads)],
          ['Herzen in der Gästegalerie', device && String(device.hearts)],
          ['Name für die Gästegalerie', device && (device.in_gallery ? 'versiegelt gespeichert' : 'nicht gespeichert')],
          ['Namen und Aufnahmezeiten', 'versiegelt; nur Gast und Gastgeber können sie lesen'],
        ]}
      />
      <ul className={`bare ${styles.photos}`}>
        {photos.map(({ id, received_at, type, bytes, width, height, in_slideshow, hearts, links }) => (
          <li key={id}>
            <code>{id}</code>
            <span>
              empfangen am {formatInstant(received_at)}, {type}, {width} × {height}, {formatBytes(bytes)}
            </span>
            <span className="soft">
              {in_slideshow ? 'wird gezeigt' : 'wird nicht gezeigt'}, {plural(hearts, 'ein Herz', '# Herzen')},{' '}
              {plural(links, 'ein Link', '# Links')}
            </span>
          </li>
        ))}
      </ul>
      {photos.length === 0 && <p>Von diesem Gerät sind keine Fotos mehr da.</p>}
      <div className={styles.actions}>
        <Button look="secondary" onClick={() => saveFile(new Blob([JSON.stringify(found, null, 2)]), `auskunft-${event.code}.json`)}>
          <Download size={20} /> Auskunft als Datei speichern
        </Button>
        <Button look="danger" onClick={onErase}>
          {device ? 'Alles davon löschen' : 'Dieses Foto löschen'}
        </Button>
      </div>
    </section>
  );
}
