import { TabbedPage, type Tab } from '../admin-frame.tsx';
import { BrandSection } from './brand-section.tsx';
import { BusinessSection } from './business-section.tsx';
import { MailSection } from './mail-section.tsx';
import { PricesSection, TermsSection } from './prices-section.tsx';
import { TemplatesSection } from './templates-section.tsx';

const ROOT = '/admin/einstellungen';

/** The sections in the order of their links; each is a page of its own. */
const SECTIONS: Tab[] = [
  {
    path: ROOT,
    name: 'Betrieb',
    lead: 'Was über Ihren Betrieb auf der Startseite, im Impressum, in den AGB und in der Datenschutzerklärung steht.',
    Content: BusinessSection,
  },
  { path: `${ROOT}/aussehen`, name: 'Logo und Farbe', lead: 'Was Ihre Seiten von anderen unterscheidet.', Content: BrandSection },
  { path: `${ROOT}/preise`, name: 'Preise', lead: 'Die Pakete des Fotodienstes, auf der Startseite.', Content: PricesSection },
  {
    path: `${ROOT}/vorlagen`,
    name: 'Vorlagen',
    lead: 'Womit ein neues Event beginnt. Ohne eigene gibt es eine für jedes Paket.',
    Content: TemplatesSection,
  },
  {
    path: `${ROOT}/agb`,
    name: 'AGB',
    lead: 'Was Sie vermieten, und die Zahlen in den Allgemeinen Geschäftsbedingungen.',
    Content: TermsSection,
  },
  {
    path: `${ROOT}/mail`,
    name: 'Mail',
    lead: 'Einladungen und Erinnerungen an Gastgeber, und was Sie selbst erfahren sollen.',
    Content: MailSection,
  },
];

/** /admin/einstellungen: the operator's settings, section by section. */
export default function SettingsPage() {
  return <TabbedPage title="Einstellungen" tabs={SECTIONS} />;
}
