import { blocksOf, filled, tokenLine, type MailValues } from '@feierbild/contract/mail.ts';
import styles from './settings.module.css';

interface MailPreviewProps {
  text: { subject: string; body: string };
  values: MailValues;
  /** Whether the mail's link ends in a token, which the mail also shows by itself. */
  withToken: boolean;
}

/** Shows a mail with the values of the newest event. */
export function MailPreview({ text: { subject, body }, values, withToken }: MailPreviewProps) {
  return (
    <>
      <p className="soft">Mit den Angaben des neuesten Events, wenn es eins gibt:</p>
      <div className={`${styles.previewed} ${styles.letter}`} inert>
        <p>
          <strong>{filled(subject, values)}</strong>
        </p>
        {blocksOf(body, values).map((block, n) =>
          block.kind === 'button' ? (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs have nothing else
            <p key={n}>
              <span className={styles.mailButton}>{block.words}</span>
            </p>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs have nothing else
            <p key={n} className={styles.mailText}>
              {block.text}
            </p>
          ),
        )}
        {withToken && <p className={styles.mailText}>{tokenLine('…')}</p>}
      </div>
    </>
  );
}
