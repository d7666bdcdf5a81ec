import { isPaperName } from '@feierbild/contract/paper-names.ts';
import { useLocation } from 'wouter';
import { TabbedPage, type Tab } from './admin-frame.tsx';
import { PaperSection } from './settings/paper-section.tsx';
import { Overview } from './papers/overview.tsx';
import { PaperPage } from './papers/paper-page.tsx';
import { Receipts } from './papers/receipts.tsx';

const ROOT = '/admin/datenschutz';

/** The tabs, without the papers themselves. */
const TABS: Tab[] = [
  {
    path: ROOT,
    name: 'Papiere',
    lead: 'Was Kunden, Gastgeber und Aufsicht lesen wollen, aus dem, was der Dienst über sich weiß. Ein Satz, dessen Prüfung misslingt, wird nicht gedruckt.',
    Content: Overview,
  },
  {
    path: `${ROOT}/loeschprotokolle`,
    name: 'Löschprotokolle',
    lead: 'Die unterschriebenen Belege gelöschter Events, 12 Monate lang.',
    Content: Receipts,
  },
  {
    path: `${ROOT}/angaben`,
    name: 'Angaben',
    lead: 'Was für die Papiere nur Sie wissen. Was leer bleibt, steht in keinem Papier.',
    Content: PaperSection,
  },
];

function paperIn(path: string) {
  const name = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : '';
  return isPaperName(name) ? name : null;
}

/** /admin/datenschutz: the papers of data protection. */
export default function PapersPage() {
  const [path] = useLocation();
  const name = paperIn(path);
  if (name) return <PaperPage key={name} name={name} />;
  return <TabbedPage title="Datenschutz" tabs={TABS} near={[['/admin/auskunft', 'Auskunft']]} />;
}
