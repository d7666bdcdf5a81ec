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
const FILM = /\.(mp4|m4v|mov|qt|webm)$/i;

/**
 * The name under which a photo of `type` is kept, shown and downloaded: the sender's base name, without paths, controls
 * and leading or trailing dots, at most FILENAME_LENGTH characters. It always ends in a picture's or a
 * film's extension: bytes can be a picture and a program at once, and the name decides what a double click makes of them.
 */
export function cleanFileName(name: string, type: string): string {
  const extension = EXTENSIONS[type] ?? 'jpg';
  const base = cleanText(name).split(/[/\\]/).at(-1) ?? '';
  const plain = base.replace(/^[.\s]+|[.\s]+$/gu, '');
  const film = type.startsWith('video/');
  const unnamed = film ? 'video' : 'foto';
  const found = (film ? FILM : PICTURE).exec(plain);
  const stem = found ? plain.slice(0, found.index) : plain;
  const end = found ? found[0] : `.${extension}`;
  return `${cutText(stem, FILENAME_LENGTH - end.length).replace(/[.\s]+$/u, '') || unnamed}${end}`;
}
