import { FILENAME_LENGTH } from '@feierbild/contract/constants.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';

/** Extensions under which programs open a type, the usual one first. */
const EXTENSIONS: Record<string, string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif', 'hif'],
  'image/heif': ['heif', 'heic', 'hif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
};
const DOT = /[.\s]/;
/** Extensions accepted for a file of an unknown type, whose name is all that is known. */
const UNKNOWN = ['jpg', ...new Set(Object.values(EXTENSIONS).flat())];

/**
 * Makes the name under which a photo of `type` is kept, shown and downloaded: the sender's base name without paths, controls and outer
 * dots, at most FILENAME_LENGTH characters. It always ends in an extension of the type: bytes can be a picture and a program at once, and
 * the name decides what a double click does with them. Programs also refuse a HEIC that is named as a JPEG.
 */
export function cleanFileName(name: string, type: string): string {
  const { stem, extension } = splitFileName(cleanText(name), type);
  return `${cutText(stem, FILENAME_LENGTH - extension.length).replace(/[.\s]+$/u, '') || unnamed(type)}${extension}`;
}
/**
 * Splits the base name of a path into stem and extension. If the name's extension does not fit `type`, the whole name is the stem and the
 * extension is the usual one of the type.
 */
export function splitFileName(name: string, type: string): { stem: string; extension: string } {
  const base = trimDots(name.split(/[/\\]/).at(-1) ?? '');
  const fitting = EXTENSIONS[type] ?? UNKNOWN;
  const dot = base.lastIndexOf('.');
  if (dot >= 0 && fitting.includes(base.slice(dot + 1).toLowerCase()))
    return { stem: trimDots(base.slice(0, dot)), extension: base.slice(dot) };
  return { stem: base, extension: `.${fitting[0]}` };
}
/** Names a photo's preview that is handed out in place of its original. */
export function previewName(filename: string): string {
  const { stem } = splitFileName(filename, 'application/octet-stream');
  return cleanFileName(`${stem} (Vorschau).jpg`, 'image/jpeg');
}
/** Returns the stem for a file without a name. */
export function unnamed(type: string): string {
  return type.startsWith('video/') ? 'video' : 'foto';
}
/**
 * Removes dots and spaces at both ends: a leading dot hides a file on Unix, and Windows drops trailing ones. A regex would take quadratic
 * time.
 */
export function trimDots(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && DOT.test(text.charAt(from))) from++;
  while (from < to && DOT.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
