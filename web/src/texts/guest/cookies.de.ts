/** The German texts in place of a page that needs a cookie, which the browser does not keep. */
export const cookiesDe = {
  title: 'Der Browser blockiert Cookies',
  text: 'Ohne Cookie öffnet sich diese Seite nicht. Bitte Cookies für diese Adresse zulassen und die Seite neu laden, oder einen anderen Browser nehmen.',
};
