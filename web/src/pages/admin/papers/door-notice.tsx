import { LANGUAGES, type Language } from '@feierbild/contract/languages.ts';
import type { Paper } from '@feierbild/contract/papers.ts';
import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useOrigin } from '../../../lib/event-url.ts';
import { Button } from '../../../ui/button.tsx';
import { LawyersWord, SentenceLine, stampOf } from './paper-sheet.tsx';
import styles from './door-notice.module.css';

const FORMATS = { a4: { label: 'Aushang A4', copies: 1 }, a6: { label: 'Vier Karten A6', copies: 4 } } as const;
type Format = keyof typeof FORMATS;

interface DoorNoticeProps {
  paper: Paper;
  language: Language;
  onLanguage(language: Language): void;
}

/** The notice for guests, for the door or tables; screen readers read only one of its copies. */
export function DoorNotice({ paper, language, onLanguage }: DoorNoticeProps) {
  const [format, setFormat] = useState<Format>('a4');
  const address = `${useOrigin()}/datenschutz`;
  return (
    <>
      <div className={styles.choice}>
        <fieldset className="bare">
          <legend>Format</legend>
          {(Object.entries(FORMATS) as [Format, (typeof FORMATS)[Format]][]).map(([value, { label }]) => (
            <label key={value}>
              <input type="radio" name="format" checked={format === value} onChange={() => setFormat(value)} /> {label}
            </label>
          ))}
        </fieldset>
        <fieldset className="bare">
          <legend>Sprache</legend>
          {(Object.entries(LANGUAGES) as [Language, { name: string }][]).map(([value, { name }]) => (
            <label key={value} lang={value}>
              <input type="radio" name="language" checked={language === value} onChange={() => onLanguage(value)} /> {name}
            </label>
          ))}
        </fieldset>
        <Button onClick={() => window.print()}>
          <Printer size={20} /> Drucken
        </Button>
      </div>
      <div className={`${styles.sheet} ${styles[format]}`}>
        {Array.from({ length: FORMATS[format].copies }, (_, n) => (
          <div key={n} className={styles.notice} aria-hidden={n > 0} lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
            {paper.sections.map(({ title, sentences }) => (
              <section key={title}>
                <h2>{title}</h2>
                {sentences.map((sentence) => (
                  <SentenceLine key={sentence.text} sentence={sentence} withSource={false} />
                ))}
              </section>
            ))}
            <div className={styles.more} lang="de">
              <QRCodeSVG value={address} title="QR-Code zu den Datenschutzhinweisen" />
              <p dir="ltr">{address}</p>
            </div>
            <p className={styles.stamp} lang="de" dir="ltr">
              {stampOf(paper)}
            </p>
          </div>
        ))}
      </div>
      <div className={styles.lawyer}>
        <LawyersWord paper={paper} />
      </div>
    </>
  );
}
