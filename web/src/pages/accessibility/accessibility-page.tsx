import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Paper } from '@feierbild/contract/papers.ts';
import { useEffect, useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { formatDay } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import styles from '../../ui/prose.module.css';
import { Waiting } from '../../ui/spinner.tsx';

type Read = { paper: Paper } | { error: unknown } | null;

/** /barrierefreiheit: the legally required statement on accessibility. It claims only what tests of this release have shown. */
export default function AccessibilityPage() {
  const [read, setRead] = useState<Read>(null);
  useEffect(() => {
    const ending = new AbortController();
    call('GET /api/accessibility', { signal: ending.signal }).then(
      (paper) => setRead({ paper }),
      (error: unknown) => ending.signal.aborted || setRead({ error }),
    );
    return () => ending.abort();
  }, []);
  if (!read) return <Waiting />;
  return (
    <PublicPage title="Barrierefreiheit">
      {'error' in read ? (
        <Notice kind="error">{messageOf(read.error)}</Notice>
      ) : (
        <>
          <p className={styles.stand}>
            Stand {formatDay(berlinDay(Date.parse(read.paper.made_at)))}, Feierbild {read.paper.release}
          </p>
          {read.paper.sections.map(({ title, sentences }) => {
            const held = sentences.filter(({ failed }) => failed.length === 0);
            return (
              held.length > 0 && (
                <section key={title} className={styles.prose}>
                  <h2>{title}</h2>
                  {held.map(({ text }) => (
                    <p key={text}>{text}</p>
                  ))}
                </section>
              )
            );
          })}
        </>
      )}
    </PublicPage>
  );
}
