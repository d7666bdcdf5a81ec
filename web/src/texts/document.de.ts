/** The German texts of a document outside its page. */
export const documentDe = {
  languages: 'Sprache',
  noscript: 'Zum Beitreten, Hochladen und Verwalten braucht diese Seite JavaScript.',
  description: 'Fotos vom Handy zum Event hochladen: in voller Qualität, verschlüsselt, ohne Konto und ohne App.',
};
