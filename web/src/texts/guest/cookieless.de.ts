/** The German texts above the own photos in a browser that keeps no cookie. */
export const cookielessDe = {
  hint: 'Ohne Cookies gilt diese Liste, bis diese Seite geschlossen wird.',
};
