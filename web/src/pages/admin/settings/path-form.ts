/** Forms whose fields are parts of one value, by their paths: `contact.phone.shown`, `packages.0.price`. */
export interface PathField {
  path: string;
  label: string;
  hint?: string;
  /** `text`: of several lines. */
  kind?: 'email' | 'switch' | 'number' | 'list' | 'text';
  required?: true;
}

export interface Group {
  legend: string;
  /** Beside one another where there is room. */
  beside?: true;
  fields: PathField[];
}

/** A form as typed, by paths; texts stay texts. */
export type PathForm = Record<string, string | boolean>;

export const fieldsOf = (groups: Group[]): PathField[] => groups.flatMap(({ fields }) => fields);

/** What a value has at a path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
}

export function formOf(fields: PathField[], value: unknown): PathForm {
  return Object.fromEntries(fields.map(({ path, kind }) => [path, shownOf(at(value, path), kind)]));
}

export function shownOf(value: unknown, kind: PathField['kind']): string | boolean {
  if (kind === 'switch') return value === true;
  if (kind === 'list') return Array.isArray(value) ? value.join(', ') : '';
  if (kind === 'number') return typeof value === 'number' ? String(value).replace('.', ',') : '';
  return typeof value === 'string' ? value : '';
}

/** What is sent: nothing of what is empty. What is no number becomes one that the server refuses. */
export function typedOf(fields: PathField[], form: PathForm): object {
  const typed = {};
  for (const { path, kind } of fields) {
    const value = form[path];
    const text = typeof value === 'string' ? value.trim() : '';
    if (kind === 'switch') put(typed, path, value);
    else if (text !== '') put(typed, path, kind === 'number' ? numberIn(text) : kind === 'list' ? listIn(text) : text);
  }
  return typed;
}

/** A German number, `2,5`. */
const numberIn = (text: string): number => (/^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN);

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
