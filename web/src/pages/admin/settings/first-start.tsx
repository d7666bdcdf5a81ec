import { isReadable } from '@feierbild/contract/colours.ts';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { mayLoseTyped, useTypedGuard } from '../../../lib/typed-guard.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { heldStill } from '../../../ui/held-still.ts';
import { useForm } from '../../../ui/use-form.ts';
import { AccentField } from './accent-field.tsx';
import { colourIn } from './colour-in.ts';
import styles from './settings.module.css';
import { changeSettings, mustBeUnset } from './use-settings.ts';

const EMPTY = {
  'identity.brand': '',
  'identity.owner': '',
  'identity.street': '',
  'identity.zip': '',
  'identity.city': '',
  'contact.email': '',
  accent: '',
};

const ANSWERED = 'Diese Fragen sind inzwischen beantwortet. Was gilt, steht unter „Einstellungen“ und lässt sich dort ändern.';

/** The first start's four questions: name, address, mail, colour. Other settings can follow later. */
export function FirstStart({ onDone }: { onDone(): void }) {
  const { typed, field, mistakes, change, failure, busy, changed, run, onSubmit } = useForm(EMPTY);
  const [isPutOff, putOff] = useState(false);
  const accent = colourIn(typed.accent) ?? typed.accent;
  useTypedGuard(changed && !isPutOff);

  async function save(): Promise<void> {
    const {
      'identity.brand': name,
      'identity.owner': owner,
      'identity.street': street,
      'identity.zip': zip,
      'identity.city': city,
    } = typed;
    const business = { identity: { brand: name, owner, street, zip, city }, contact: { email: typed['contact.email'] } };
    await mustBeUnset('business', ANSWERED);
    // A logo may be set already, and is kept.
    if (accent) await changeSettings('brand', (set) => ({ ...set, accent }));
    await changeSettings('business', () => business);
    onDone();
  }

  async function later(): Promise<void> {
    await call('POST /admin/first_start/later');
    putOff(true);
    onDone();
  }

  /** Finds mistakes before the business is saved, because the questions disappear then. */
  const found = (): Record<string, string> => {
    const missing = Object.entries(typed).filter(([name, text]) => name !== 'accent' && text.trim() === '');
    const colour = accent === '' || (colourIn(accent) !== null && isReadable(accent));
    return {
      ...Object.fromEntries(missing.map(([name]) => [name, 'Bitte füllen Sie dieses Feld aus.'])),
      ...(!colour && { accent: 'Bitte geben Sie eine Farbe wie #a81f4b an.' }),
    };
  };

  return (
    <section className={styles.first} aria-labelledby="first-start">
      <div>
        <h2 id="first-start">Willkommen! Vier Fragen, dann sind es Ihre Seiten.</h2>
        <p className="soft">Name und Anschrift stehen im Impressum. Alles lässt sich später unter „Einstellungen“ ändern.</p>
        <p className="soft">
          Was ohne einen Mailserver nicht geht: Einladungen, Erinnerungen und Meldungen als Mail. Einladungen geben Sie dann als Link
          weiter; eintragen lässt er sich jederzeit unter <a href="/admin/einstellungen/mail">Einstellungen → Mail</a>.
        </p>
      </div>
      <form className={styles.form} onSubmit={onSubmit(save, found)} noValidate {...heldStill(busy)}>
        <Field label="Wie heißt Ihr Betrieb?" autoComplete="organization" required {...field('identity.brand')} />
        <Field
          label="Wem gehört er? Vor- und Nachname, oder die Firma"
          autoComplete="name"
          hint="Das Impressum braucht einen Menschen oder eine Firma, nicht nur einen Markennamen."
          required
          {...field('identity.owner')}
        />
        <Field label="Wo? Straße und Hausnummer" autoComplete="street-address" required {...field('identity.street')} />
        <div className={styles.pair}>
          <Field label="Postleitzahl" autoComplete="postal-code" inputMode="numeric" required {...field('identity.zip')} />
          <Field label="Ort" autoComplete="address-level2" required {...field('identity.city')} />
        </div>
        <Field
          label="Unter welcher E&#8209;Mail erreicht man Sie?"
          type="email"
          autoComplete="email"
          required
          {...field('contact.email')}
        />
        <AccentField
          label="Welche Farbe hat Ihr Betrieb?"
          value={typed.accent}
          error={mistakes.accent}
          onChange={(to) => change('accent', to)}
        />
        {failure && <Notice kind="error">{failure}</Notice>}
        <div className={styles.buttons}>
          <Button type="submit" busy={busy}>
            Fertig
          </Button>
          <Button look="quiet" disabled={busy} onClick={() => (!changed || mayLoseTyped()) && void run(later)}>
            Später
          </Button>
        </div>
      </form>
    </section>
  );
}
