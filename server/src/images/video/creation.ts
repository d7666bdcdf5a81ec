/** When a movie was recorded. */
import { boxesIn, find, type Box } from './boxes.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

/** From 1904, where `mvhd` counts from, to 1970. */
const EPOCH_S = 2_082_844_800;
const CREATION_DATE = 'com.apple.quicktime.creationdate';
const MAX_KEYS = 256;
/** An ISO 8601 instant has some 25. */
const MAX_DATE_BYTES = 64;

/** By an `mvhd`; ms since 1970, or null where it does not say. */
export function creationTime(header: Buffer): number | null {
  const seconds = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
  const ms = (seconds - EPOCH_S) * 1000;
  return ms > 0 && Number.isSafeInteger(ms) ? ms : null;
}

/** What Apple's `creationdate` says, with the clock of the place: `2026-05-17T21:04:00+0200`. A movie may have broken or no metadata. */
export function creationDate(file: SparseFile, moov: Box): string | null {
  try {
    // iPhones write it into the movie itself, other programs into its user data.
    const metas = [find(moov, 'meta'), find(moov, 'udta', 'meta')];
    return metas.reduce<string | null>((date, meta) => date ?? (meta ? dateIn(file, meta) : null), null);
  } catch (error) {
    if (error instanceof NotTaken) return null;
    throw error;
  }
}

function dateIn(file: SparseFile, meta: Box): string | null {
  // QuickTime's has no version and flags before its boxes, ISO's has.
  const first = file.bytes(meta.content, Math.min(meta.content + 8, meta.end)).toString('latin1', 4);
  const inner = { children: boxesIn(file, meta.content + (first === 'hdlr' ? 0 : 4), meta.end) };
  const [keys, ilst] = [find(inner, 'keys'), find(inner, 'ilst')];
  if (!keys || !ilst) return null;
  const names = boxesIn(file, keys.content + 8, keys.end)
    .slice(0, MAX_KEYS)
    .map(({ content, end }) => file.bytes(content, end).toString('latin1'));
  const wanted = names.indexOf(CREATION_DATE) + 1;
  for (const item of wanted > 0 ? boxesIn(file, ilst.content, ilst.end) : []) {
    // An item's type is the number of its key.
    if (Buffer.from(item.type, 'latin1').readUInt32BE(0) !== wanted) continue;
    const data = find({ children: boxesIn(file, item.content, item.end) }, 'data');
    if (data && data.end - data.content >= 8) {
      return file.bytes(data.content + 8, Math.min(data.end, data.content + 8 + MAX_DATE_BYTES)).toString('latin1');
    }
  }
  return null;
}
