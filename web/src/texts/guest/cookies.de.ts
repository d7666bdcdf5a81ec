/** The German texts in place of a page that needs a cookie, which the browser does not keep. */
export const cookiesDe = {
  title: 'Ihr Browser blockiert Cookies',
  text: 'Ohne Cookie öffnet sich diese Seite nicht. Bitte lassen Sie Cookies für diese Adresse zu und laden Sie die Seite neu, oder nehmen Sie einen anderen Browser.',
};
