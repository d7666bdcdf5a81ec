import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { splitFileName, trimDots, unnamed } from '../photos/photos.ts';
/** The data that an entry's name is built from. */
export interface NamedPhoto {
  filename: string;
  /** The type that the decoder found. */
  type: string;
  /** The guest's name. */
  deviceName: string;
  /** When it was received, ms since 1970. */
  receivedAt: number;
  /** In place of the day's. */
  folder?: string;
}

/** Bytes of UTF-8. The whole path stays below 240, so that a folder before it fits into Windows' limit of 260 characters. */
const TITLE_BYTES = 72;
const GUEST_BYTES = 48;
const FILE_BYTES = 150;
/** Room for ` (99999)`. */
const NUMBER_BYTES = 8;

/** Old device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Returns a function that names the entries of one ZIP: `Titel/2026-05-17/Anna – IMG_0042.jpg`, with the day in Berlin on which the
 * photo was received. Names are unique even if upper and lower case and Unicode forms are ignored, and are safe on Windows, macOS
 * and Linux.
 */
export function createZipNames(title: string): (photo: NamedPhoto) => string {
  const folder = folderName(title);
  const used = new Set<string>();
  const next = new Map<string, number>();
  let count = 0;

  return ({ filename, type, deviceName, receivedAt, folder: own = berlinDay(receivedAt) }) => {
    count += 1;
    const { stem, extension } = splitFileName(plainText(filename.split(/[/\\]/).at(-1) ?? ''), type);
    const guest = cutBytes(plainText(deviceName), GUEST_BYTES) || ANONYMOUS;
    const room = FILE_BYTES - NUMBER_BYTES - Buffer.byteLength(extension);
    const whole = notReserved(trimDots(cutBytes(`${guest} – ${stem || `${unnamed(type)}-${count}`}`, room)));
    const path = `${folder}/${own}/${whole}`;

    const base = fold(path + extension);
    let number = next.get(base) ?? 1;
    let name = `${path}${extension}`;
    while (used.has(fold(name))) {
      number += 1;
      name = `${path} (${number})${extension}`;
    }
    next.set(base, number);
    used.add(fold(name));
    return name;
  };
}

/** A title as the name of a file or folder; `Fotos` if no usable character remains. */
export function folderName(title: string): string {
  return notReserved(trimDots(cutBytes(plainText(title), TITLE_BYTES))) || 'Fotos';
}

/** Removes characters that file systems or readers cannot handle: control, bidi and other invisible characters, `<>:"/\|?*`. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[<>:"/\\|?*]/g, '_')
    .trim();
}

function notReserved(name: string): string {
  return RESERVED.test(name) ? `_${name}` : name;
}

/** At most `max` bytes of UTF-8, cut between visible characters (graphemes). */
function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let cut = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter('de').segment(text)) {
    length += Buffer.byteLength(segment);
    if (length > max) break;
    cut += segment;
  }
  return cut;
}

/** Two names have the same result if some file system treats them as equal. */
function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}
