import type { ReactNode } from 'react';

/** One component in one state. */
export interface State {
  /** The unique name for `?state=`. */
  id: string;
  /** A German description of the state. */
  name: string;
  show: ReactNode;
  /** Whether the component fills the window or is modal, and is shown by `?state=` only. */
  alone?: boolean;
}

export interface Group {
  id: string;
  title: string;
  states: State[];
}

/** A handler that does nothing. */
export const nothing = (): void => undefined;

/** A request that is never answered, so that the component stays busy. */
export const forever = (): Promise<void> => new Promise(nothing);

/** The target of dialogs that are closed. */
export const leave = (): void => window.location.assign('/__ui');
