import type { ComponentType } from 'react';
import { useLocation } from 'wouter';
import { AdminFrame } from '../admin-frame.tsx';
import { AccessSection } from './access-section.tsx';
import { BrandSection } from './brand-section.tsx';
import { BusinessSection } from './business-section.tsx';
import { MailSection } from './mail-section.tsx';
import { PaperSection } from './paper-section.tsx';
import { PricesSection, TermsSection } from './prices-section.tsx';
import { TemplatesSection } from './templates-section.tsx';
import styles from './settings.module.css';

const ROOT = '/admin/einstellungen';

/** The sections in the order of their links; each is a page of its own. */
const SECTIONS: { path: string; name: string; lead: string; Section: ComponentType }[] = [
  {
    path: ROOT,
    name: 'Betrieb',
    lead: 'Was über Ihren Betrieb auf der Startseite, im Impressum, in den AGB und in der Datenschutzerklärung steht.',
    Section: BusinessSection,
  },
  { path: `${ROOT}/aussehen`, name: 'Logo und Farbe', lead: 'Was Ihre Seiten von anderen unterscheidet.', Section: BrandSection },
  { path: `${ROOT}/preise`, name: 'Preise', lead: 'Die Pakete des Fotodienstes, auf der Startseite.', Section: PricesSection },
  {
    path: `${ROOT}/vorlagen`,
    name: 'Vorlagen',
    lead: 'Womit ein neues Event beginnt. Ohne eigene gibt es eine für jedes Paket.',
    Section: TemplatesSection,
  },
  { path: `${ROOT}/agb`, name: 'AGB', lead: 'Die Zahlen in den Allgemeinen Geschäftsbedingungen.', Section: TermsSection },
  {
    path: `${ROOT}/mail`,
    name: 'Mail',
    lead: 'Einladungen und Erinnerungen an Gastgeber, und was Sie selbst erfahren sollen.',
    Section: MailSection,
  },
  {
    path: `${ROOT}/datenschutz`,
    name: 'Datenschutz',
    lead: 'Was für die Papiere unter „Datenschutz“ nur Sie wissen. Was leer bleibt, steht in keinem Papier.',
    Section: PaperSection,
  },
  { path: `${ROOT}/zugang`, name: 'Zugang', lead: 'Was alle brauchen, die hier verwalten.', Section: AccessSection },
];

export const isSettingsPath = (path: string): boolean => SECTIONS.some((section) => section.path === path);

/** /admin/einstellungen: what an operator sets, section by section. */
export function SettingsPage() {
  const [path] = useLocation();
  const shown = SECTIONS.find((section) => section.path === path);
  if (!shown) return null;
  return (
    <AdminFrame title="Einstellungen" lead={shown.lead} className={styles.page}>
      <nav aria-label="Einstellungen" className={styles.nav}>
        {SECTIONS.map(({ path: href, name }) => (
          <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <shown.Section key={path} />
    </AdminFrame>
  );
}
