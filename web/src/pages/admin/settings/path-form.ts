import { NO_NUMBER } from '../../../api/client.ts';
import { germanNumber } from '../../../lib/german-number.ts';

/** A field of a form whose fields are parts of one value, by its path: `contact.phone.shown`, `packages.0.price`. */
export interface PathField {
  path: string;
  label: string;
  hint?: string;
  /** `text`: several lines; `coordinate`: a number whose point never groups; `unsaved`: the browser suggests no earlier input. */
  kind?: 'email' | 'switch' | 'number' | 'coordinate' | 'list' | 'text' | 'date' | 'unsaved';
  required?: true;
  hidden?: boolean;
  /** First and last day for `date`. */
  min?: string;
  max?: string;
  maxLength?: number;
  /** Values to choose by a press. */
  presets?: { value: string; label: string }[];
}

export interface Group {
  legend?: string;
  /** Places the fields side by side if there is room. */
  beside?: true;
  /** Folds the group away, because few need it. */
  folded?: true;
  fields: PathField[];
}

/** A form as typed, by paths; texts stay texts. */
export type PathForm = Record<string, string | boolean>;

export const fieldsOf = (groups: Group[]): PathField[] => groups.flatMap(({ fields }) => fields);

/** Returns the value at a path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
}

export function formOf(fields: PathField[], value: unknown): PathForm {
  return Object.fromEntries(fields.map(({ path, kind }) => [path, shownOf(at(value, path), kind)]));
}

export function shownOf(value: unknown, kind: PathField['kind']): string | boolean {
  if (kind === 'switch') return value === true;
  if (kind === 'list') return Array.isArray(value) ? value.join(', ') : '';
  if (isNumber(kind)) return typeof value === 'number' ? String(value).replace('.', ',') : '';
  return typeof value === 'string' ? value : '';
}

const isNumber = (kind: PathField['kind']): kind is 'number' | 'coordinate' => kind === 'number' || kind === 'coordinate';
const numberIn = (text: string, kind: 'number' | 'coordinate'): number => germanNumber(text, kind === 'number' ? 'amount' : kind);

/** Finds fields for numbers that contain none. */
export function mistakesIn(fields: PathField[], form: PathForm): Record<string, string> {
  const wrong = fields.filter(({ path, kind }) => {
    const text = String(form[path] ?? '').trim();
    return isNumber(kind) && text !== '' && Number.isNaN(numberIn(text, kind));
  });
  return Object.fromEntries(wrong.map(({ path }) => [path, NO_NUMBER]));
}

/** Returns the value to send, without empty fields. */
export function typedOf(fields: PathField[], form: PathForm): object {
  const typed = {};
  for (const { path, kind } of fields) {
    const value = form[path];
    const text = typeof value === 'string' ? value.trim() : '';
    if (kind === 'switch') put(typed, path, value);
    else if (text !== '') put(typed, path, isNumber(kind) ? numberIn(text, kind) : kind === 'list' ? listIn(text) : text);
  }
  return typed;
}

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

export function put(within: object, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  const inner = within as Record<string, unknown>;
  if (rest.length === 0) inner[first] = value;
  else put((inner[first] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {}) as object, rest.join('.'), value);
}
