/** One line of the diagnosis; German, with what to do where it is not well. */
export interface Line {
  state: 'gut' | 'Achtung' | 'Fehler';
  about: string;
  text: string;
}

export function line(about: string, state: Line['state'], text: string): Line {
  return { state, about, text };
}

/** What an error says, in short. */
export function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}
