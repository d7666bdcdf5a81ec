import type { Language } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { Paper } from '@feierbild/contract/papers.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { plural } from '../../../lib/format.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Headline } from '../../../ui/headline.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageShell } from '../../../ui/page-shell.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { PaperSheet } from './paper-sheet.tsx';
import { DoorNotice } from './door-notice.tsx';
import styles from './papers.module.css';

/** A paper to read and print. */
export function PaperPage({ name }: { name: PaperName }) {
  const [language, setLanguage] = useState<Language>('de');
  const query = useQuery({
    queryKey: ['paper', name, language],
    queryFn: () => call('GET /admin/papers/:paper', { params: { paper: name }, query: { language } }),
    placeholderData: keepPreviousData,
    // The system's own statements may differ each time.
    gcTime: 0,
  });
  return (
    <PageShell
      footer={false}
      width="reading"
      actions={
        <ButtonLink href="/admin/datenschutz" look="quiet">
          <ArrowLeft size={20} /> Papiere
        </ButtonLink>
      }
    >
      <Loaded query={query}>{(paper) => <PaperView name={name} paper={paper} language={language} onLanguage={setLanguage} />}</Loaded>
    </PageShell>
  );
}

interface PaperViewProps {
  name: PaperName;
  paper: Paper;
  language: Language;
  onLanguage(language: Language): void;
}

export function PaperView({ name, paper, language, onLanguage }: PaperViewProps) {
  return (
    <article className={`${styles.paper} ${name === 'aushang' ? '' : styles.paged}`}>
      <header className={name === 'aushang' ? styles.screenOnly : undefined}>
        <Headline>{paper.title}</Headline>
        <p className="soft">
          {paper.source} · {PAPERS[name].reader}
        </p>
      </header>
      <div className={styles.tools}>
        {paper.missing > 0 && (
          <Notice kind="error" permanent>
            <span>
              {plural(paper.missing, 'Ein Satz ist rot und wird nicht gedruckt', '# Sätze sind rot und werden nicht gedruckt')}, weil eine
              Prüfung misslingt. Beheben Sie, was dabeisteht; was nur Sie wissen, tragen Sie unter{' '}
              <a href="/admin/datenschutz/angaben">Angaben</a> ein.
            </span>
          </Notice>
        )}
        {name !== 'aushang' && (
          <div>
            <Button onClick={() => window.print()}>
              <Printer size={20} /> Drucken oder als PDF sichern
            </Button>
          </div>
        )}
      </div>
      {name === 'aushang' ? <DoorNotice paper={paper} language={language} onLanguage={onLanguage} /> : <PaperSheet paper={paper} />}
    </article>
  );
}
