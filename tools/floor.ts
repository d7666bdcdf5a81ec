import data from '@mdn/browser-compat-data' with { type: 'json' };
import type { Identifier, SupportStatement } from '@mdn/browser-compat-data';

/** The oldest browsers in which the pages promise to work (README.md). */
const PAGES = { chrome: 100, edge: 100, firefox: 100, safari: 15.4, safari_ios: 15.4 };
/** The oldest browser in which the wall works: LG's televisions of 2020. */
const WALL = { chrome: 68 };

/** Path from the global object to a member: `Set`, `union`. */
export type Path = readonly string[];

/** Names that at least one of these browsers lacks, and names that all have. Nothing below a lacking name is listed itself. */
const FLOORS = {
  pages: { newer: collect(PAGES, true), older: collect(PAGES, false) },
  wall: { newer: collect(WALL, true), older: collect(WALL, false) },
};
type Floor = keyof typeof FLOORS;
export const NEWER: readonly Path[] = FLOORS.pages.newer;
export const NEWER_THAN_WALL: readonly Path[] = FLOORS.wall.newer;

function isThere(support: SupportStatement | undefined, floor: number): boolean {
  const all = Array.isArray(support) ? support : support ? [support] : [];
  return all.some(({ version_added: added, flags, prefix, alternative_name: other }) => {
    const version = Number.parseFloat(String(added).replace('≤', ''));
    return !flags && !prefix && !other && version <= floor;
  });
}

function isNewer({ __compat: compat }: Identifier, browsers: Partial<typeof PAGES>): boolean {
  return Object.entries(browsers).some(([browser, floor]) => !isThere(compat?.support[browser as keyof typeof PAGES], floor));
}

function collect(browsers: Partial<typeof PAGES>, newer: boolean): Path[] {
  const found: Path[] = [];
  const walk = (node: Identifier, path: Path): void => {
    for (const [key, child] of Object.entries(node as Record<string, Identifier>)) {
      if (key === '__compat') continue;
      const next = [...path, key.replace(/_static$/, '')];
      const isBelow = child.__compat !== undefined && isNewer(child, browsers);
      if (child.__compat !== undefined && isBelow === newer) found.push(next);
      if (!isBelow) walk(child, next);
    }
  };
  walk(data.javascript.builtins as unknown as Identifier, []);
  walk(data.api as unknown as Identifier, []);
  return found;
}

/**
 * Removes everything newer from the page or worker in which it runs, as if it were one of these browsers. It runs there, so it uses nothing
 * of this file.
 */
export function removeNewer(paths: readonly Path[]): void {
  const place = self as unknown as Record<PropertyKey, unknown>;
  const { hasOwnProperty } = Object.prototype;
  for (const path of paths) {
    const name = path[path.length - 1] as string;
    const key = name.startsWith('@@') ? (Symbol as unknown as Record<string, symbol>)[name.slice(2)] : name;
    let owner: unknown = place;
    for (const part of path.slice(0, -1))
      owner = owner === undefined || owner === null ? undefined : (owner as Record<string, unknown>)[part];
    if (key === undefined || owner === undefined || owner === null) continue;
    const owners = [owner, (owner as { prototype?: unknown }).prototype, ...(path[0] === 'Window' ? [place] : [])];
    for (const one of owners)
      if (one !== undefined && one !== null && hasOwnProperty.call(one, key)) delete (one as Record<PropertyKey, unknown>)[key];
  }
}

/**
 * Builds an expression that finds calls of newer functions in code, by names that nothing older has, and syntax that stops a page before it
 * begins.
 */
export function newerCalls(floor: Floor = 'pages'): RegExp {
  const { newer, older } = FLOORS[floor];
  const isName = (name: string): boolean => /^[A-Za-z]\w{2,}$/.test(name);
  const old = new Set(older.map((path) => path.at(-1)));
  const members = newer.flatMap((path) => (path.length === 2 && isName(path[1]!) && !old.has(path[1]) ? [path[1]!] : []));
  const statics = newer.flatMap((path) => (path.length === 2 && isName(path[1]!) && old.has(path[1]) ? [`${path[0]}\\.${path[1]}`] : []));
  return new RegExp(`\\.(${[...new Set(members)].join('|')})\\(|\\b(${statics.join('|')})\\(|\\bstatic ?\\{|\\(\\?<[=!]`, 'g');
}
