import type { ReactNode } from 'react';

/** One component in one state. */
export interface State {
  /** Unique on the page, and what `?state=` asks for. */
  id: string;
  /** What is to be seen, in words. */
  name: string;
  show: ReactNode;
  /** Fills the window, or is modal: shown by `?state=` only. */
  alone?: boolean;
}

export interface Group {
  id: string;
  title: string;
  states: State[];
}

/** For what is to be clicked, and does nothing here. */
export const nothing = (): void => undefined;

/** For what asks and may be refused: never answers, so that it stays busy. */
export const forever = (): Promise<void> => new Promise(nothing);

/** Where dialogs lead that are closed. */
export const leave = (): void => window.location.assign('/__ui');
