/** In place of a page for which the browser would have to keep a cookie, in German. */
export const cookiesDe = {
  title: 'Ihr Browser blockiert Cookies',
  text: 'Ohne Cookie öffnet sich diese Seite nicht. Bitte lassen Sie Cookies für diese Adresse zu und laden Sie die Seite neu, oder nehmen Sie einen anderen Browser.',
};
