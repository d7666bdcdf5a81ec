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
  /** The time of receipt, ms since 1970. */
  receivedAt: number;
  /** A folder that replaces the day's folder. */
  folder?: string;
}

/** Lengths in UTF-16 units, as Windows counts them. */
const TITLE_LENGTH = 40;
const GUEST_LENGTH = 32;
const FILE_LENGTH = 100;
/**
 * Longest path of an unpacked entry, including the folder that is named after the ZIP. Of Windows' 260, 80 are left for the path above it.
 */
const PATH_LENGTH = 180;
/** Length of the suffix in the name of a selection's ZIP. */
const SELECTION_LENGTH = ' – Auswahl'.length;
/** Longest name in bytes of UTF-8; file systems on Linux allow 255. */
const NAME_BYTES = 240;
/** Space for ` (99999)`. */
const NUMBER_LENGTH = 8;

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
    const guest = cut(plainText(deviceName), GUEST_LENGTH) || ANONYMOUS;
    const around = 2 * folder.length + SELECTION_LENGTH + own.length + '///'.length;
    const room = Math.min(FILE_LENGTH, PATH_LENGTH - around) - NUMBER_LENGTH - extension.length;
    const whole = notReserved(trimDots(cut(`${guest} – ${stem || `${unnamed(type)}-${count}`}`, room)));
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

/** Turns a title into the name of a file or folder; `Fotos` if no usable character remains. */
export function folderName(title: string): string {
  return notReserved(trimDots(cut(plainText(title), TITLE_LENGTH))) || 'Fotos';
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

/** Cuts to at most `max` characters and NAME_BYTES, between visible characters (graphemes). */
function cut(text: string, max: number): string {
  if (text.length <= max && Buffer.byteLength(text) <= NAME_BYTES) return text;
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter('de').segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (kept.length + segment.length > max || bytes > NAME_BYTES) break;
    kept += segment;
  }
  return kept;
}

/** Returns the same text for two names if some file system treats them as equal. */
function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}
