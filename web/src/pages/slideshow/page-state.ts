/** What a wall knows again after a reload: the browser keeps it with the page's place in the history. */
interface PageState {
  /** The photo that was shown. */
  at?: string;
  /** How often in a row the page began anew because no frame was drawn. */
  hung?: number;
}

export const pageState = (): PageState => (window.history.state ?? {}) as PageState;

export function notePageState(change: PageState): void {
  try {
    window.history.replaceState({ ...pageState(), ...change }, '');
  } catch {
    // WebKit refuses more than 100 changes in 10 s: only this one stays behind.
  }
}
