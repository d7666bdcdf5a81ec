import { create, join } from './texts.ts';

/** A page for everybody: its document is complete HTML before any script runs. */
interface PublicPage {
  /** The file that holds the page, as the build's manifest names it; empty where it is part of the main program. */
  module: string;
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
    module: 'src/pages/home/home-page.tsx',
    title: 'Alle Fotos vom Fest. An einem Ort.',
    description:
      'Gäste laden ihre Fotos vom Handy hoch, Gastgeber sammeln die Originale: verschlüsselt, ohne Konto und App, 30 Tage nach dem Event gelöscht.',
  },
  '/join': {
    module: 'src/pages/join/join-page.tsx',
    title: join.title,
    description: 'Mit dem 8-stelligen Code von der Einladung oder vom Tisch zum Event: Fotos hochladen, ganz ohne Konto.',
  },
  '/create': {
    module: 'src/pages/create/create-page.tsx',
    title: create.title,
    description: 'Ein Event für die eigene Feier anfragen: Anschrift, Telefon und E-Mail des Veranstaltungsservice.',
  },
  '/kontakt': {
    module: 'src/pages/contact/contact-page.tsx',
    title: 'Kontakt',
    description: 'Anschrift, Telefon, E-Mail und WhatsApp des Veranstaltungsservice, und der Weg dorthin.',
  },
  '/agb': {
    module: 'src/pages/terms/terms-page.tsx',
    title: 'Allgemeine Geschäftsbedingungen',
    description: 'Die Bedingungen für Mieten und für den Fotodienst.',
  },
  '/datenschutz': {
    module: 'src/pages/privacy/privacy-page.tsx',
    title: 'Datenschutz',
    description: 'Welche Daten der Fotodienst verarbeitet, wie Fotos verschlüsselt und wann sie gelöscht werden.',
  },
  '/impressum': {
    module: 'src/pages/imprint/imprint-page.tsx',
    title: 'Impressum',
    description: 'Wer diese Seiten betreibt und wie man uns erreicht.',
  },
  '/securejoin': {
    module: 'src/pages/join/secure-join-page.tsx',
    title: join.title,
    description: 'Mit Code und Passwort zum Event.',
    unlisted: true,
  },
  '/login': {
    module: 'src/pages/login/login-page.tsx',
    title: 'Event verwalten',
    description: 'Anmeldung für Gastgeber.',
    unlisted: true,
  },
  /** Shown for unknown paths; no route has this one. */
  '/404': { module: '', title: 'Seite nicht gefunden', description: '', unlisted: true },
};
