import { LANGUAGES, type Language } from '@feierbild/contract/languages.ts';
import { Printer } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { CARD_LINES } from '../languages/cards.ts';
import { Button } from '../ui/button.tsx';
import { Headline } from '../ui/headline.tsx';
import { PageShell } from '../ui/page-shell.tsx';
import { Switch } from '../ui/switch.tsx';
import { Card, type Address, type CardEvent, type Design } from './card.tsx';
import styles from './cards.module.css';

type Format = 'a6' | 'a5' | 'a4';
/** A card's purpose: it asks for photos, or opens the gallery for guests. */
type Purpose = 'schicken' | 'ansehen';

/** `marks` show where to cut or fold. Lengths are millimetres; the page is slightly shorter than A4, so that no second page begins. */
const FORMATS = {
  a6: {
    places: ['oben links', 'oben rechts', 'unten links', 'unten rechts'],
    explained: 'Vier Karten in A6 auf einem Blatt A4. Bitte in Originalgröße (100\u00a0%) drucken und an den Marken schneiden.',
    page: { width: 210, height: 296 },
    marks: 'M105 4v8M105 284v8M4 148h8M198 148h8M101 148h8M105 144v8',
  },
  a5: {
    places: ['links', 'rechts'],
    explained:
      'Ein Aufsteller in A5: auf A4 quer in Originalgröße (100\u00a0%) drucken, an den Marken falten und hinstellen. Festes Papier hält besser.',
    page: { width: 297, height: 209 },
    marks: 'M148.5 3v8M148.5 198v8',
  },
  a4: {
    places: ['Blatt'],
    explained: 'Ein Plakat in A4, für den Eingang oder die Bar. Bitte in Originalgröße (100\u00a0%) drucken.',
    page: { width: 210, height: 296 },
    marks: null,
  },
} as const;

const DESIGNS: Record<Design, string> = { papier: 'Papier', abend: 'Abend', zweig: 'Zweig' };
const FORMAT_NAMES: Record<Format, string> = { a6: 'Karten A6', a5: 'Aufsteller A5', a4: 'Plakat A4' };
const PURPOSES: Record<Purpose, string> = { schicken: 'Fotos schicken', ansehen: 'Fotos ansehen' };
const ADDRESSES: Record<Address, string> = { ihr: 'Ihr', sie: 'Sie' };

/** The language of a further line for guests who read no German. */
type Second = Exclude<Language, 'de'> | 'keine';
const SECONDS = Object.fromEntries([
  ['keine', 'nur Deutsch'],
  ...Object.entries(LANGUAGES).flatMap(([language, { name }]) => (language in CARD_LINES ? [[language, name]] : [])),
]) as Record<Second, string>;

interface CardSheetsProps {
  /** The events; each gets a sheet of its own. */
  events: CardEvent[];
  /** Path of the guests' gallery, which the cards may open instead; null if it is unknown. */
  link: string | null;
  /** The link back. */
  actions: ReactNode;
  /** Content above the sheets. */
  lead?: ReactNode;
}

/** Invitations for the tables, to print in three designs and sizes. */
export function CardSheets({ events, link, actions, lead }: CardSheetsProps) {
  const [design, setDesign] = useState<Design>('papier');
  const [format, setFormat] = useState<Format>('a6');
  const [address, setAddress] = useState<Address>('ihr');
  const [second, setSecond] = useState<Second>('keine');
  const [withPassword, setWithPassword] = useState(true);
  const [purpose, setPurpose] = useState<Purpose>('schicken');
  const looks = purpose === 'ansehen' && link !== null;
  const { places, explained, page, marks } = FORMATS[format];
  return (
    <PageShell actions={actions}>
      <div className={styles.page} data-format={format}>
        <div className={styles.toolbar}>
          <Headline>Tischkarten</Headline>
          {lead}
          <div className={styles.choices}>
            <Options legend="Gestaltung" name="design" values={DESIGNS} chosen={design} onChoose={setDesign} />
            <Options legend="Format" name="format" values={FORMAT_NAMES} chosen={format} onChoose={setFormat} />
            <Options legend="Anrede" name="address" values={ADDRESSES} chosen={address} onChoose={setAddress} />
            <Options legend="Zeile in" name="second" values={SECONDS} chosen={second} onChoose={setSecond} />
            {link && <Options legend="Wozu" name="purpose" values={PURPOSES} chosen={purpose} onChoose={setPurpose} />}
          </div>
          {looks && <p>Diese Karten öffnen die Galerie für Gäste. Mit einem neuen Link dafür gelten sie nicht mehr.</p>}
          {!looks && link && <p>Derselbe Code öffnet auch die Galerie für Gäste, bis Sie dafür einen neuen Link machen.</p>}
          {!looks && events.some((event) => event.user_upload_password) && (
            <Switch label="mit Passwort" checked={withPassword} onChange={setWithPassword} />
          )}
          <p>{explained}</p>
          <Button onClick={() => window.print()}>
            <Printer size={20} /> Drucken
          </Button>
        </div>
        {events.map((event) => (
          <div key={event.id} className={styles.sheet} data-palette={event.look.palette ?? undefined}>
            {places.map((place, n) => (
              // A screen reader reads the same card once.
              <div key={place} className={styles.card} data-card data-design={design} aria-hidden={n > 0}>
                <Card
                  {...{ event, looks, design, address }}
                  second={second === 'keine' ? null : second}
                  gallery={link}
                  password={withPassword ? event.user_upload_password : null}
                />
              </div>
            ))}
            {marks && (
              <svg className={styles.marks} viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true">
                <path d={marks} />
              </svg>
            )}
          </div>
        ))}
      </div>
    </PageShell>
  );
}

interface OptionsProps<Value extends string> {
  legend: string;
  name: string;
  values: Record<Value, string>;
  chosen: Value;
  onChoose(value: Value): void;
}

/** A choice of one of a few values, side by side. */
function Options<Value extends string>({ legend, name, values, chosen, onChoose }: OptionsProps<Value>) {
  return (
    <fieldset className={`bare ${styles.options}`}>
      <legend>{legend}</legend>
      {(Object.entries(values) as [Value, string][]).map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
