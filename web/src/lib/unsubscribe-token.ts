const TOKEN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[a-z_]+\.[\w-]{22}/;

/** Finds the token of an unsubscribe page in a text, which may be the page's whole address; empty if there is none. */
export const unsubscribeTokenIn = (text: string): string => TOKEN.exec(text)?.[0] ?? '';
