import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';

/** What an entry's name is made of. */
export interface NamedPhoto {
  filename: string;
  /** The type that the decoder found. */
  type: string;
  /** The guest's name. */
  deviceName: string;
  /** When it was received, ms since 1970. */
  receivedAt: number;
}

/** Bytes of UTF-8: the whole path stays below 240, so that Windows' 260 characters leave room for a folder. */
const TITLE_BYTES = 72;
const GUEST_BYTES = 48;
const FILE_BYTES = 150;
/** Room for ` (99999)`. */
const NUMBER_BYTES = 8;
const HOUR = 60 * 60 * 1000;

/** Extensions that open as a picture. */
const PICTURE = /\.(jpe?g|jpe|jfif|png|webp|gif|avif|hei[cf]|hif)$/i;
/** Devices of old that Windows still finds behind any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Names the entries of one ZIP, each call one more: `Titel/2026-05-17/Anna – IMG_0042.jpg`, the day being the one in Berlin on
 * which the photo was received. No two names are equal where letters' case or Unicode form do not count; none is harmful on
 * Windows, macOS or Linux.
 */
export function createZipNames(title: string): (photo: NamedPhoto) => string {
  const folder = folderName(title);
  const used = new Set<string>();
  const next = new Map<string, number>();
  const dayOf = createDays();
  let count = 0;

  return ({ filename, type, deviceName, receivedAt }) => {
    count += 1;
    const { stem, extension } = splitName(filename, type);
    const guest = cutBytes(plainText(deviceName), GUEST_BYTES) || ANONYMOUS;
    const room = FILE_BYTES - NUMBER_BYTES - Buffer.byteLength(extension);
    const whole = notReserved(trimDots(cutBytes(`${guest} – ${stem || `foto-${count}`}`, room)));
    const path = `${folder}/${dayOf(receivedAt)}/${whole}`;

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

/** A title as the name of a file or folder; `Fotos` where nothing is left of it. */
export function folderName(title: string): string {
  return notReserved(trimDots(cutBytes(plainText(title), TITLE_BYTES))) || 'Fotos';
}

/**
 * The base name without its extension, and the extension: the sender's where it is a picture's, else the one of the type
 * behind everything the sender wrote, so that no double click runs it as something else.
 */
function splitName(filename: string, type: string): { stem: string; extension: string } {
  const base = trimDots(plainText(filename.split(/[/\\]/).at(-1) ?? ''));
  const found = PICTURE.exec(base);
  if (found) return { stem: trimDots(base.slice(0, found.index)), extension: found[0] };
  return { stem: base, extension: `.${type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)}` };
}

/** Text without what file systems or readers trip over: controls, bidi and other invisible marks, `<>:"/\|?*`. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[<>:"/\\|?*]/g, '_')
    .trim();
}

/** Without dots and spaces at either end: hidden on Unix at the start, dropped by Windows at the end. */
function trimDots(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, '');
}

function notReserved(name: string): string {
  return RESERVED.test(name) ? `_${name}` : name;
}

/** At most `max` bytes of UTF-8, in whole characters as people see them. */
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

/** Equal for names that some file system takes for the same. */
function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

/** The day in Berlin, remembered for the hour: photos come in order. */
function createDays(): (instant: number) => string {
  let hour = Number.NaN;
  let day = '';
  return (instant) => {
    if (Math.floor(instant / HOUR) !== hour) {
      hour = Math.floor(instant / HOUR);
      day = berlinDay(instant);
    }
    return day;
  };
}
