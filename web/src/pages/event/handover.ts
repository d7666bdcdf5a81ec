import { createItem, isHopeless, isMissing, isUnsent, type Item } from './selection.ts';

/** What another page needs to send the items of this one: their files. */
export function filesOf(items: readonly Item[]): Map<string, File> {
  const files = new Map<string, File>();
  for (const item of items) if (item.file && item.state !== 'stored' && !isHopeless(item)) files.set(item.id, item.file);
  return files;
}

/** The items with the files of another page. Where that could note nothing of a file on this device, it is known by the file alone. */
export function withFiles(items: readonly Item[], files: Map<string, File>): Item[] {
  const here = new Set(items.map(({ id }) => id));
  const others = [...files].filter(([id]) => !here.has(id));
  return [
    ...items.map((item) => withFile(item, files.get(item.id))),
    ...others.map(([id, file]) => ({ ...createItem(file, id), released: true, earlier: true })),
  ];
}

/** An item that another page had sent for this one: as that page noted it, with this page's file and picture of it. */
export function takeBack(item: Item, before: Item | undefined): Item {
  if (!before?.file || !(isMissing(item) || isUnsent(item))) return item;
  const { thumbnail, earlier, isHeic } = before;
  return { ...withFile(item, before.file), ...(thumbnail !== undefined && { thumbnail }), earlier, isHeic };
}

function withFile(item: Item, file: File | undefined): Item {
  if (!file || item.file || !(isMissing(item) || isUnsent(item))) return item;
  return isMissing(item) ? { ...item, file, state: 'waiting', failure: null } : { ...item, file };
}
