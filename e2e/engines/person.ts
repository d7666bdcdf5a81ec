import { setTimeout as pause } from 'node:timers/promises';

export type Role = 'button' | 'link' | 'field' | 'heading' | 'checkbox';

/** A person at a real browser of any engine. Elements are awaited for up to WAIT_MS. */
export interface Person {
  /** `early`: does not wait for the page's code. */
  open(url: string, early?: boolean): Promise<void>;
  /** Presses a visible, enabled part by its accessible name; `name` is a regular expression's source. */
  press(role: Role, name: string): Promise<void>;
  write(label: string, text: string): Promise<void>;
  /** Picks files in the page's file picker. */
  pick(paths: string[]): Promise<void>;
  /** Waits until a part of this role and name can be seen. */
  sees(role: Role, name: string): Promise<void>;
  /** Waits until an expression in the page is true, `waitMs` at most; the error otherwise names `what`. */
  until(expression: string, what: string, waitMs?: number): Promise<void>;
  /** Returns uncaught errors of all pages so far, as far as the engine tells them. */
  errors(): string[];
  close(): Promise<void>;
}

/** The functions that differ between the engines' drivers. */
export interface Driver<Part> {
  open(url: string, early?: boolean): Promise<void>;
  /** Evaluates a JavaScript expression in the page; returns plain data. */
  value(expression: string): Promise<unknown>;
  /** Evaluates an expression that returns an element or null. */
  part(expression: string): Promise<Part | null>;
  /** Clicks as a pointer does. */
  click(part: Part): Promise<void>;
  type(part: Part, text: string): Promise<void>;
  setFiles(part: Part, paths: string[]): Promise<void>;
  errors(): string[];
  close(): Promise<void>;
}

const WAIT_MS = 110_000;
const POLL_MS = 100;

const SELECTORS: Record<Role, string> = {
  button: 'button, [role=button], summary',
  link: 'a[href]',
  field: 'input:not([type=checkbox]):not([type=file]), textarea, select',
  heading: 'h1, h2, h3, [role=heading]',
  checkbox: 'input[type=checkbox]',
};

/** Builds an expression for the first visible, enabled part of a role whose accessible name matches. */
function partOf(role: Role, name: string): string {
  return `(() => {
    const nameOf = (part) => (part.getAttribute('aria-label') || [...(part.labels ?? [])].map((label) => label.textContent).join(' ')
      || part.textContent || part.querySelector('img')?.alt || '').replace(/\\s+/g, ' ').trim();
    const isSeen = (part) => part.getClientRects().length > 0 && getComputedStyle(part).visibility !== 'hidden';
    return [...document.querySelectorAll(${JSON.stringify(SELECTORS[role])})]
      .find((part) => isSeen(part) && !part.disabled && part.getAttribute('aria-disabled') !== 'true' && new RegExp(${JSON.stringify(name)}).test(nameOf(part))) ?? null;
  })()`;
}

export function createPerson<Part>(driver: Driver<Part>): Person {
  async function awaited<T>(look: () => Promise<T | null | false>, what: string, waitMs = WAIT_MS): Promise<T> {
    const end = Date.now() + waitMs;
    for (;;) {
      // During a navigation the page cannot be queried.
      const found = await look().catch((error: unknown) => (Date.now() > end ? Promise.reject(error) : null));
      if (found) return found;
      if (Date.now() > end) throw new Error(`not there: ${what}; the page says: ${String(await driver.value('document.body.innerText'))}`);
      await pause(POLL_MS);
    }
  }
  const find = (role: Role, name: string) => awaited(() => driver.part(partOf(role, name)), `${role} ${name}`);

  return {
    open: driver.open,
    async press(role, name) {
      // An element may be replaced between the query and the click.
      await awaited(async () => driver.click(await find(role, name)).then(() => true), `${role} ${name}, to be pressed`);
    },
    async write(label, text) {
      await driver.type(await find('field', label), text);
    },
    async pick(paths) {
      await driver.setFiles(await awaited(() => driver.part(`document.querySelector('input[type=file]')`), 'file picker'), paths);
    },
    async sees(role, name) {
      await find(role, name);
    },
    async until(expression, what, waitMs) {
      await awaited(async () => (await driver.value(expression)) === true, what, waitMs);
    },
    errors: driver.errors,
    close: driver.close,
  };
}
