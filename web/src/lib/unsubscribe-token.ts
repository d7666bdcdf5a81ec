const TOKEN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[a-z_]+\.[\w-]{22}/;

/** The token of a page for unsubscribing in a text, which may be its whole address; empty where there is none. */
export const unsubscribeTokenIn = (text: string): string => TOKEN.exec(text)?.[0] ?? '';
