/** What a document says around its page, in German. */
export const documentDe = {
  languages: 'Sprache',
  noscript: 'Zum Beitreten, Hochladen und Verwalten braucht diese Seite JavaScript.',
  description: 'Fotos vom Handy zum Event hochladen: in voller Qualität, verschlüsselt, ohne Konto und ohne App.',
};
