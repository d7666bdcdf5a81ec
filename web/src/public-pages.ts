/** A page for everybody: its document is complete HTML before any script runs. */
interface PublicPage {
  /** The file that holds the page, as the build's manifest names it. */
  module: string;
  /** For search engines and shared links, one sentence or two. */
  description: string;
  /** False where a search engine has nothing to find. */
  indexed: boolean;
}

/** The public pages by their paths, the order is the sitemap's. */
export const publicPages: Record<string, PublicPage> = {
  '/': {
    module: 'src/pages/home/home-page.tsx',
    description:
      'Gäste laden ihre Fotos vom Handy hoch, Gastgeber sammeln die Originale: verschlüsselt, ohne Konto und App, 30 Tage nach dem Event gelöscht.',
    indexed: true,
  },
  '/join': {
    module: 'src/pages/join/join-page.tsx',
    description: 'Mit dem 8-stelligen Code von der Einladung oder vom Tisch zum Event: Fotos hochladen, ganz ohne Konto.',
    indexed: true,
  },
  '/create': {
    module: 'src/pages/create/create-page.tsx',
    description: 'Ein Event für die eigene Feier anfragen: Anschrift, Telefon und E-Mail des Veranstaltungsservice.',
    indexed: true,
  },
  '/kontakt': {
    module: 'src/pages/contact/contact-page.tsx',
    description: 'Anschrift, Telefon, E-Mail und WhatsApp des Veranstaltungsservice, und der Weg dorthin.',
    indexed: true,
  },
  '/agb': {
    module: 'src/pages/terms/terms-page.tsx',
    description: 'Die Bedingungen für Mieten und für den Fotodienst.',
    indexed: true,
  },
  '/datenschutz': {
    module: 'src/pages/privacy/privacy-page.tsx',
    description: 'Welche Daten der Fotodienst verarbeitet, wie Fotos verschlüsselt und wann sie gelöscht werden.',
    indexed: true,
  },
  '/impressum': {
    module: 'src/pages/imprint/imprint-page.tsx',
    description: 'Wer diese Seiten betreibt und wie man uns erreicht.',
    indexed: true,
  },
  '/securejoin': {
    module: 'src/pages/secure-join/secure-join-page.tsx',
    description: 'Mit Code und Passwort zum Event.',
    indexed: false,
  },
  '/login': {
    module: 'src/pages/login/login-page.tsx',
    description: 'Anmeldung für Gastgeber.',
    indexed: false,
  },
};
