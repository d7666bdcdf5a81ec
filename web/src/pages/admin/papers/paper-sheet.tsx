import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Paper } from '@feierbild/contract/papers.ts';
import { CircleAlert } from 'lucide-react';
import { formatDay } from '../../../lib/format.ts';
import styles from './paper-sheet.module.css';

export type PaperSection = Paper['sections'][number];
type Sentence = PaperSection['sentences'][number];

const holds = ({ failed }: Sentence): boolean => failed.length === 0;

/** A sentence of a paper. One that does not hold is red, says why, and is not printed. */
export function SentenceLine({ sentence, withSource = true }: { sentence: Sentence; withSource?: boolean }) {
  const { text, source, failed } = sentence;
  if (holds(sentence))
    return (
      <p>
        {text} {withSource && <cite className={styles.source}>{source}</cite>}
      </p>
    );
  return (
    <div className={styles.failed}>
      <p>
        <CircleAlert size={18} /> <span className="visually-hidden">Wird nicht gedruckt: </span>
        {text} <cite className={styles.source}>{source}</cite>
      </p>
      <ul>
        {failed.map(({ id, title, found }) => (
          <li key={id}>
            {title}: {found}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PaperSheetProps {
  paper: Paper;
}

/** A paper to print. Each printed page names its version, because browsers repeat a table's foot on each page. */
export function PaperSheet({ paper }: PaperSheetProps) {
  return (
    <table role="presentation" className={styles.sheet}>
      <tbody>
        <tr>
          <td>
            <div className={styles.sections}>
              {paper.sections.map((section) => (
                <section key={section.title} className={section.sentences.some(holds) ? '' : styles.empty}>
                  <h2>{section.title}</h2>
                  {section.sentences.map((sentence) => (
                    <SentenceLine key={sentence.text} sentence={sentence} />
                  ))}
                </section>
              ))}
              <section>
                <LawyersWord paper={paper} />
              </section>
            </div>
          </td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <td className={styles.stamp}>{stampOf(paper)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The papers' limits, and space for a lawyer's result. */
export function LawyersWord({ paper: { lawyer } }: { paper: Paper }) {
  return (
    <>
      <h2>Vorlage, keine Rechtsberatung</h2>
      <p>
        Feierbild erzeugt dieses Papier aus dem, was der Dienst über sich feststellen kann. Ob es im Einzelfall genügt, muss eine
        Rechtsanwältin oder ein Rechtsanwalt prüfen.
      </p>
      <p>Ergebnis der rechtlichen Prüfung: {lawyer ?? '______________________________'}</p>
    </>
  );
}

/** Describes the version of a printed page. */
export function stampOf({ title, release, number, made_at, hash, missing }: Paper): string {
  const parts = [
    title,
    number === null ? 'Entwurf' : `Fassung ${number}`,
    `Feierbild ${release}`,
    formatDay(berlinDay(Date.parse(made_at))),
    `Stand der Einstellungen ${hash}`,
    'Vorlage, keine Rechtsberatung',
  ];
  if (missing > 0) parts.push(missing === 1 ? 'Unvollständig: ein Satz fehlt' : `Unvollständig: ${missing} Sätze fehlen`);
  return parts.join(' · ');
}
