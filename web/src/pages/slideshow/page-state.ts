/** State that a wall keeps across a reload, in the page's history entry. */
interface PageState {
  /** The photo that was shown. */
  at?: string;
  /** Number of consecutive reloads because no frame was drawn. */
  hung?: number;
}

export const pageState = (): PageState => (window.history.state ?? {}) as PageState;

export function notePageState(change: PageState): void {
  try {
    window.history.replaceState({ ...pageState(), ...change }, '');
  } catch {
    // WebKit refuses more than 100 changes in 10 s; only this change is lost.
  }
}
