import { isPaperName } from '@feierbild/contract/paper-names.ts';
import type { ComponentType } from 'react';
import { useLocation } from 'wouter';
import { AdminFrame } from '../admin-frame.tsx';
import { Overview } from './overview.tsx';
import { PaperPage } from './paper-page.tsx';
import styles from './papers.module.css';
import { Receipts } from './receipts.tsx';

const ROOT = '/admin/datenschutz';

/** The pages beside the papers themselves. */
const TABS: { path: string; name: string; lead: string; Tab: ComponentType }[] = [
  {
    path: ROOT,
    name: 'Papiere',
    lead: 'Was Kunden, Gastgeber und Aufsicht lesen wollen, aus dem, was der Dienst über sich weiß. Ein Satz, dessen Prüfung misslingt, wird nicht gedruckt.',
    Tab: Overview,
  },
  {
    path: `${ROOT}/loeschprotokolle`,
    name: 'Löschprotokolle',
    lead: 'Die unterschriebenen Belege gelöschter Events, 12 Monate lang.',
    Tab: Receipts,
  },
];

export const isPapersPath = (path: string): boolean => TABS.some((tab) => tab.path === path) || paperIn(path) !== null;

function paperIn(path: string) {
  const name = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : '';
  return isPaperName(name) ? name : null;
}

/** /admin/datenschutz: the papers of data protection. */
export function PapersPage() {
  const [path] = useLocation();
  const name = paperIn(path);
  if (name) return <PaperPage key={name} name={name} />;
  const shown = TABS.find((tab) => tab.path === path);
  if (!shown) return null;
  return (
    <AdminFrame title="Datenschutz" lead={shown.lead} className={styles.page}>
      <nav aria-label="Datenschutz" className={styles.nav}>
        {TABS.map(({ path: href, name: tab }) => (
          <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
            {tab}
          </a>
        ))}
        <a href="/admin/einstellungen/datenschutz">Angaben</a>
        <a href="/admin/auskunft">Auskunft</a>
      </nav>
      <shown.Tab key={path} />
    </AdminFrame>
  );
}
