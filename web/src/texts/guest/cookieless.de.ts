/** Above the own photos where the browser keeps no cookie, in German. */
export const cookielessDe = {
  hint: 'Diese Liste gilt, bis Sie die Seite schließen: Ihr Browser blockiert Cookies.',
};
