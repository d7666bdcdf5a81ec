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
/** For a file of an unknown type: its name is all that is known. */
const UNKNOWN = ['jpg', ...new Set(Object.values(EXTENSIONS).flat())];

/**
 * The name under which a photo of `type` is kept, shown and downloaded: the sender's base name, without paths, controls
 * and leading or trailing dots, at most FILENAME_LENGTH characters. It always ends in an extension of the type. Bytes can be a picture and a
 * program at once, and the name decides what a double click does with them. Programs also refuse a HEIC that is named as a JPEG.
 */
export function cleanFileName(name: string, type: string): string {
  const { stem, extension } = splitFileName(cleanText(name), type);
  return `${cutText(stem, FILENAME_LENGTH - extension.length).replace(/[.\s]+$/u, '') || unnamed(type)}${extension}`;
}
/**
 * The base name of a path without its extension, and the extension: the name's own where it means `type`, else the usual one of the
 * type, and the whole name is the stem.
 */
export function splitFileName(name: string, type: string): { stem: string; extension: string } {
  const base = trimDots(name.split(/[/\\]/).at(-1) ?? '');
  const fitting = EXTENSIONS[type] ?? UNKNOWN;
  const dot = base.lastIndexOf('.');
  if (dot >= 0 && fitting.includes(base.slice(dot + 1).toLowerCase()))
    return { stem: trimDots(base.slice(0, dot)), extension: base.slice(dot) };
  return { stem: base, extension: `.${fitting[0]}` };
}
/** The name of a photo's preview, where that is handed out in place of its original. */
export function previewName(filename: string): string {
  const { stem } = splitFileName(filename, 'application/octet-stream');
  return cleanFileName(`${stem} (Vorschau).jpg`, 'image/jpeg');
}
/** The stem of a name that has none. */
export function unnamed(type: string): string {
  return type.startsWith('video/') ? 'video' : 'foto';
}
/** Removes dots and spaces at both ends: a leading dot hides a file on Unix, and Windows drops trailing ones. (An expression would begin anew at each of them.) */
export function trimDots(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && DOT.test(text.charAt(from))) from++;
  while (from < to && DOT.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
