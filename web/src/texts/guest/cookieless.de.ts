/** Above the own photos where the browser keeps no cookie, in German. */
export const cookielessDe = {
  hint: 'Ohne Cookies gilt diese Liste, bis Sie die Seite schließen.',
};
