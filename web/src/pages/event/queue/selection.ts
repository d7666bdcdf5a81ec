import {
  WAITING,
  createItem,
  isHopeless,
  isLeft,
  isMissing,
  isStored,
  isUnsent,
  isVideoFile,
  newWire,
  type Failure,
  type Item,
} from '../item.ts';

/** Tells whether this device could no longer read a file. */
const isLost = ({ state }: Item): boolean => state === 'lost';
/** Tells whether two items may be the same file: phones' pickers give it another time at each choice. */
const isAlike = (one: Item, other: Item): boolean => one.name === other.name && one.size === other.size;
const sameFile = ({ name, size, modified }: Item): string => `${name}\n${size}\n${modified}`;

/**
 * Adds newly chosen files. Stored items leave the grid. Failed ones wait again, and the same file is taken once: it is shown in place of the
 * copy that an unsubmitted item of an earlier page has. A file that this device could no longer read takes its old place, so that the
 * server's bytes are not sent again.
 */
export function addFiles(items: readonly Item[], chosen: readonly Item[]): Item[] {
  const kept = items
    .filter((item) => !isStored(item) && !(isLeft(item) && chosen.some((other) => isAlike(item, other))))
    .map((item) => (item.failure && !isHopeless(item) ? { ...item, ...WAITING } : item));
  const files = new Map(chosen.map((item) => [sameFile(item), item.file]));
  const known = new Set(kept.filter((item) => !isLost(item)).map(sameFile));
  const added: Item[] = [];
  for (const item of chosen) {
    if (known.has(sameFile(item))) continue;
    known.add(sameFile(item));
    const lost = kept.findIndex((other) => isLost(other) && isAlike(item, other));
    const [before] = lost < 0 ? [] : kept.splice(lost, 1);
    added.push(before ? { ...item, id: before.id, wire: Object.assign(before.wire, { chosenAgain: true }) } : item);
  }
  // An item that had only its copy gets its file, too.
  return [...kept.map((item) => (isMissing(item) ? item : withFile(item, files.get(sameFile(item)) ?? undefined))), ...added];
}

/** Returns the items that a press sends: all that may still be stored. If there are none and nothing was stored, the refused files. */
export function nextToSend(items: readonly Item[]): Item[] {
  const open = items.filter((item) => !isStored(item) && !isHopeless(item));
  return open.length > 0 || items.some(isStored) ? open : items.filter((item) => isHopeless(item) && item.file !== null);
}

/** Submits the items that a press sends to the next run. */
export function submit(items: readonly Item[]): Item[] {
  const next = new Set(nextToSend(items));
  return items.map((item) => (next.has(item) ? { ...item, ...WAITING, submitted: true, ended: false } : item));
}

/** Returns the items after the guest stopped the sending: none is sent automatically, and files of an earlier page are removed. */
export function withdraw(items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    if (isStored(item)) return [item];
    if (item.earlier || isMissing(item)) return [];
    return [
      isHopeless(item) ? item : { ...item, ...WAITING, submitted: false, ended: true, kept: false, announced: false, wire: newWire() },
    ];
  });
}

/** Returns the files of this page's items, for another page that sends them. */
export function filesOf(items: readonly Item[]): Map<string, File> {
  const files = new Map<string, File>();
  for (const item of items) if (item.file && !isStored(item) && !isHopeless(item)) files.set(item.id, item.file);
  return files;
}

/** Adds the files of another page to the items. A file that the page could not note on this device becomes a new item. */
export function withFiles(items: readonly Item[], files: ReadonlyMap<string, File>): Item[] {
  const here = new Set(items.map(({ id }) => id));
  const others = [...files].filter(([id]) => !here.has(id));
  return [
    ...items.map((item) => withFile(item, files.get(item.id))),
    ...others.map(([id, file]) => ({ ...createItem(file, id), submitted: true, earlier: true })),
  ];
}

/**
 * Returns the items of a page that becomes the sender: the saved ones, with this page's files and thumbnails; then items that another page
 * took over and never saved; then its own.
 */
export function takeBack(items: readonly Item[], kept: readonly Item[], handed: readonly Item[]): Item[] {
  const here = new Set(items.map(({ id }) => id));
  const before = new Map(handed.map((item) => [item.id, item]));
  const noted = new Set(kept.map(({ id }) => id));
  const back = [
    ...kept.map((item) => asBefore(item, before.get(item.id))),
    ...handed.flatMap((item) => (noted.has(item.id) ? [] : isHopeless(item) || isStored(item) ? item : { ...item, ...WAITING })),
  ];
  return [...back.filter(({ id }) => !here.has(id)), ...items];
}

/** Returns an item as another page noted it, with this page's file and picture. */
function asBefore(item: Item, before: Item | undefined): Item {
  if (!before?.file || !(isMissing(item) || isUnsent(item))) return item;
  const { thumbnail, earlier } = before;
  return { ...withFile(item, before.file), ...(thumbnail !== undefined && { thumbnail }), earlier };
}

function withFile(item: Item, file: File | undefined): Item {
  if (!file || item.file || !(isMissing(item) || isUnsent(item))) return item;
  return isMissing(item) ? { ...item, file, state: 'waiting', failure: null } : { ...item, file };
}

/** Counts the items that are submitted, and neither stored nor given up. */
export function leftOf(items: readonly Item[]): number {
  return items.filter((item) => item.submitted && isUnsent(item)).length;
}

/** Tells whether all chosen items are stored. */
export function isDone(items: readonly Item[]): boolean {
  return items.length > 0 && items.every(isStored);
}

/** Returns the share of the selection that is sent, 0 to 1; items that failed for good count as sent. */
export function shareSent(items: readonly Item[]): number {
  const sum = items.reduce((sent, item) => sent + (item.state === 'sending' ? item.progress : Number(!isUnsent(item))), 0);
  return items.length === 0 ? 0 : sum / items.length;
}

/** Number of request ids that are shown. */
const IDS_SHOWN = 3;

/** Counts photos and videos. */
export function kindsOf(items: readonly Pick<Item, 'type'>[]): { photos: number; videos: number } {
  const videos = items.filter(isVideoFile).length;
  return { photos: items.length - videos, videos };
}

/** Returns the first few request ids of failures. */
export function idsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.flatMap(({ requestId }) => requestId ?? []))].slice(0, IDS_SHOWN);
}
