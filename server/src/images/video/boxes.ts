/** Reads the boxes of ISO base media files (ISO/IEC 14496-12) and QuickTime movies. */
import { NotTaken, type SparseFile } from './sparse-file.ts';

export interface Box {
  /** Four characters, Latin-1. */
  type: string;
  /** Offsets in the file of the box, its content, and its end. */
  start: number;
  content: number;
  end: number;
  /** Empty unless the box is a container. */
  children: Box[];
}

/** Boxes that contain nothing but boxes. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf', 'edts', 'udta', 'mvex', 'traf', 'sinf', 'schi', 'wave']);
const MAX_DEPTH = 16;
/** Most boxes in a `moov`, on all levels. */
const MAX_BOXES = 20_000;

/** Reads the header of the box at `at`, in a container that ends at `limit`. Throws NotTaken if it is broken. */
export function boxAt(file: SparseFile, at: number, limit: number): Box {
  const head = file.bytes(at, at + 8);
  const short = head.readUInt32BE(0);
  const type = head.toString('latin1', 4, 8);
  let length = short;
  let content = at + 8;
  if (short === 0) length = limit - at;
  if (short === 1) {
    length = Number(file.bytes(at, at + 16).readBigUInt64BE(8));
    content = at + 16;
  }
  if (length < content - at) throw new NotTaken('a box has an impossible length');
  if (length > limit - at) throw new NotTaken('a box is cut short');
  return { type, start: at, content, end: at + length, children: [] };
}

/**
 * Reads the outermost boxes one by one. Some cameras append bytes that are no boxes: these end the list once a movie and its data were
 * read; not among fragments, as further ones may follow. Throws NotTaken for other broken boxes.
 */
export function* outermostBoxes(file: SparseFile): Generator<Box> {
  const seen = new Set<string>();
  for (let at = 0; at + 8 <= file.size;) {
    let box: Box;
    try {
      box = boxAt(file, at, file.size);
    } catch (error) {
      const type = file.bytes(at, at + 8).toString('latin1', 4, 8);
      const isAppended = seen.has('moov') && seen.has('mdat') && !seen.has('moof') && !['moov', 'mdat', 'moof'].includes(type);
      if (error instanceof NotTaken && isAppended) return;
      throw error;
    }
    seen.add(box.type);
    yield box;
    at = box.end;
  }
}

/** Reads the boxes in [start, end) and within them. Less than 8 bytes at the end are no box (QuickTime ends lists with a zero). */
export function boxesIn(file: SparseFile, start: number, end: number): Box[] {
  let count = 0;
  function list(from: number, to: number, depth: number): Box[] {
    if (depth > MAX_DEPTH) throw new NotTaken('boxes are nested too deeply');
    const boxes: Box[] = [];
    for (let at = from; at + 8 <= to;) {
      count += 1;
      if (count > MAX_BOXES) throw new NotTaken('too many boxes');
      const box = boxAt(file, at, to);
      if (CONTAINERS.has(box.type)) box.children = list(box.content, box.end, depth + 1);
      boxes.push(box);
      at = box.end;
    }
    return boxes;
  }
  return list(start, end, 1);
}

/** Finds the first box on a path of types. */
export function find({ children }: Pick<Box, 'children'>, first: string, ...further: string[]): Box | undefined {
  const found = children.find(({ type }) => type === first);
  const [next, ...rest] = further;
  return found && next !== undefined ? find(found, next, ...rest) : found;
}

/** Finds the first box on a path of types. Throws NotTaken if there is none. */
export function must(box: Pick<Box, 'children'>, ...path: [string, ...string[]]): Box {
  const found = find(box, ...path);
  if (!found) throw new NotTaken(`no ${path.join('/')}`);
  return found;
}

/** Returns a box's content. Throws NotTaken if it is shorter than `least` bytes. */
export function contentOf(file: SparseFile, { content, end }: Box, least: number): Buffer {
  if (end - content < least) throw new NotTaken('a box is too short');
  return file.bytes(content, end);
}
