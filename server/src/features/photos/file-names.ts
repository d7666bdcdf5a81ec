import { FILENAME_LENGTH } from '@feierbild/contract/constants.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

/** Extensions that open as a picture. */
const PICTURE = /\.(jpe?g|jpe|jfif|png|webp|gif|avif|hei[cf]|hif)$/i;
const VIDEO = /\.(mp4|m4v|mov|qt|webm)$/i;

/**
 * The name under which a photo of `type` is kept, shown and downloaded: the sender's base name, without paths, controls
 * and leading or trailing dots, at most FILENAME_LENGTH characters. It always ends in a picture's or a
 * video's extension: bytes can be a picture and a program at once, and the name decides what a double click makes of them.
 */
export function cleanFileName(name: string, type: string): string {
  const { stem, extension } = splitFileName(cleanText(name), type);
  return `${cutText(stem, FILENAME_LENGTH - extension.length).replace(/[.\s]+$/u, '') || unnamed(type)}${extension}`;
}
/**
 * The base name of a path without its extension, and the extension: the name's own where it opens as what `type` is, else that of the
 * type, and the whole name is the stem.
 */
export function splitFileName(name: string, type: string): { stem: string; extension: string } {
  const base = trimDots(name.split(/[/\\]/).at(-1) ?? '');
  const found = (type.startsWith('video/') ? VIDEO : PICTURE).exec(base);
  if (found) return { stem: trimDots(base.slice(0, found.index)), extension: found[0] };
  return { stem: base, extension: `.${EXTENSIONS[type] ?? 'jpg'}` };
}
/** The name of a photo's preview, where that is handed out in place of its original. */
export function previewName(filename: string): string {
  const { stem } = splitFileName(filename, 'image/jpeg');
  return cleanFileName(`${stem} (Vorschau).jpg`, 'image/jpeg');
}
/** The stem of a name that has none. */
export function unnamed(type: string): string {
  return type.startsWith('video/') ? 'video' : 'foto';
}
/** Removes dots and spaces at both ends: a leading dot hides a file on Unix, and Windows drops trailing ones. */
export function trimDots(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, '');
}
