/** The chosen photos by id, and the one a range starts from. */
export interface Selection {
  ids: ReadonlySet<string>;
  last: string | null;
}

export const NOTHING: Selection = { ids: new Set(), last: null };

/** Takes one in or out. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, last: id };
}

/** Takes in all from the last touched one to this, in the order shown; only this, where none was touched. */
export function extend({ ids, last }: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  const start = last === null ? -1 : order.indexOf(last);
  const from = start < 0 ? to : start;
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), last: id };
}

/** Keeps only those for which `stays` holds. */
export function keep({ ids, last }: Selection, stays: (id: string) => boolean): Selection {
  return { ids: new Set([...ids].filter(stays)), last };
}
