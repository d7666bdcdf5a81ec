import { create, join } from './texts.ts';

/** A page for everybody: its document is complete HTML before any script runs. */
interface PublicPage {
  /** The file that holds the page: `src/pages/{file}-page.tsx`; empty where it is part of the main entry. */
  file: string;
  /** Its headline. */
  title: string;
  /** For search engines and shared links, one sentence or two; empty where nobody shares the page. */
  description: string;
  /** Search engines should not list the page. */
  unlisted?: true;
}

/** The public pages by their paths, in the order of the sitemap. */
export const publicPages: Record<string, PublicPage> = {
  '/': {
    file: 'home/home',
    title: 'Alle Fotos vom Fest. An einem Ort.',
    description:
      'Gäste laden ihre Fotos vom Handy hoch, Gastgeber sammeln die Originale: verschlüsselt, ohne Konto und App, 30 Tage nach dem Event gelöscht.',
  },
  '/join': {
    file: 'join/join',
    title: join.title,
    description: 'Mit dem 8-stelligen Code von der Einladung oder vom Tisch zum Event: Fotos hochladen, ganz ohne Konto.',
  },
  '/create': {
    file: 'create/create',
    title: create.title,
    description: 'Ein Event für die eigene Feier anfragen: Anschrift, Telefon und E-Mail des Veranstaltungsservice.',
  },
  '/kontakt': {
    file: 'contact/contact',
    title: 'Kontakt',
    description: 'Anschrift, Telefon, E-Mail und WhatsApp des Veranstaltungsservice, und der Weg dorthin.',
  },
  '/agb': {
    file: 'terms/terms',
    title: 'Allgemeine Geschäftsbedingungen',
    description: 'Die Bedingungen für Mieten und für den Fotodienst.',
  },
  '/datenschutz': {
    file: 'privacy/privacy',
    title: 'Datenschutz',
    description: 'Welche Daten der Fotodienst verarbeitet, wie Fotos verschlüsselt und wann sie gelöscht werden.',
  },
  '/impressum': { file: 'imprint/imprint', title: 'Impressum', description: 'Wer diese Seiten betreibt und wie man uns erreicht.' },
  '/securejoin': { file: 'join/secure-join', title: join.title, description: 'Mit Code und Passwort zum Event.', unlisted: true },
  '/login': { file: 'login/login', title: 'Event verwalten', description: 'Anmeldung für Gastgeber.', unlisted: true },
  /** Shown for unknown paths; no route has this one. */
  '/404': { file: '', title: 'Seite nicht gefunden', description: '', unlisted: true },
};
