import type { Paper } from '@feierbild/contract/papers.ts';
import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useOrigin } from '../../../lib/event-url.ts';
import { Button } from '../../../ui/button.tsx';
import { SentenceLine, stampOf } from './paper-sheet.tsx';
import styles from './door-notice.module.css';

const FORMATS = { a4: { label: 'Aushang A4', copies: 1 }, a6: { label: 'Vier Karten A6', copies: 4 } } as const;
type Format = keyof typeof FORMATS;

/** The notice for guests, to hang at the door or to stand on tables; one of its copies is read by screen readers. */
export function DoorNotice({ paper }: { paper: Paper }) {
  const [format, setFormat] = useState<Format>('a4');
  const address = `${useOrigin()}/datenschutz`;
  return (
    <>
      <div className={styles.choice}>
        <fieldset>
          <legend>Format</legend>
          {(Object.entries(FORMATS) as [Format, (typeof FORMATS)[Format]][]).map(([value, { label }]) => (
            <label key={value}>
              <input type="radio" name="format" checked={format === value} onChange={() => setFormat(value)} /> {label}
            </label>
          ))}
        </fieldset>
        <Button onClick={() => window.print()}>
          <Printer size={20} /> Drucken
        </Button>
      </div>
      <div className={`${styles.sheet} ${styles[format]}`}>
        {Array.from({ length: FORMATS[format].copies }, (_, n) => (
          <div key={n} className={styles.notice} aria-hidden={n > 0}>
            {paper.sections.map(({ title, sentences }) => (
              <section key={title}>
                <h2>{title}</h2>
                {sentences.map((sentence) => (
                  <SentenceLine key={sentence.text} sentence={sentence} withSource={false} />
                ))}
              </section>
            ))}
            <div className={styles.more}>
              <QRCodeSVG value={address} title="QR-Code zu den Datenschutzhinweisen" />
              <p>
                Alles Weitere: <span>{address}</span>
              </p>
            </div>
            <p className={styles.stamp}>{stampOf(paper)}</p>
          </div>
        ))}
      </div>
    </>
  );
}
