import type { ErrorCode } from '@feierbild/contract/errors.ts';
import type { documentDe } from '../texts/document.de.ts';
import type { CookielessTexts } from '../texts/guest/cookieless.ts';
import type { CookieTexts } from '../texts/guest/cookies.ts';
import type { DownloadTexts } from '../texts/guest/download.ts';
import type { GalleryTexts } from '../texts/guest/gallery.ts';
import type { GuestTexts } from '../texts/guest/guest.ts';
import type { JoinTexts } from '../texts/guest/join.ts';
import type { LaterTexts } from '../texts/guest/later.ts';
import type { PhotoTexts } from '../texts/guest/photo.ts';
import type { ReleaseTexts } from '../texts/guest/release.ts';
import type { ReportTexts } from '../texts/guest/report.ts';
import type { ShellTexts } from '../texts/guest/shell.ts';
import type { VideoTexts } from '../texts/guest/video.ts';

/** Refusals of an upload, which only the page that sends meets. */
type OfUploads = Extract<
  ErrorCode,
  | 'upload_incomplete'
  | 'upload_disabled'
  | 'device_full'
  | 'demo_full'
  | 'photo_removed'
  | 'too_many_pixels'
  | 'video_refused'
  | 'video_unreadable'
  | 'not_a_photo'
  | 'storage_full'
>;
/** Refusals of a photo's file, which only pages meet that show the photos of others. */
type OfFiles = Extract<ErrorCode, 'originals_off' | 'original_missing' | 'video_not_shared'>;
/** Refusals that a guest may meet on any page. */
type OnAnyPage = Extract<
  ErrorCode,
  | 'invalid_input'
  | 'device_id_missing'
  | 'login_required'
  | 'event_inactive'
  | 'wrong_event_password'
  | 'demo_fixed'
  | 'event_not_found'
  | 'photo_not_found'
  | 'too_large'
  | 'too_many_attempts'
  | 'disk_full'
>;

export type UploadErrorTexts = Record<OfUploads, string>;
export type FileErrorTexts = Record<OfFiles, string>;
/** Sentences for refusals, by their codes; one for all other codes, one for a refused field. German sentences are the server's. */
export type ErrorTexts = Record<OnAnyPage | 'other' | 'field', string>;

/** The essentials of privacy for guests, above the German text, which is the binding one. */
export interface PrivacyTexts {
  title: string;
  essentials: string;
  binding: string;
  points: readonly string[];
  rights(email: string): string;
}

/** The line on a card for guests who read no German. */
export interface CardTexts {
  /** The line on a card that asks for photos. */
  send: string;
  /** The line on a card that opens the gallery. */
  look: string;
}

/** Words of a document outside its page; the server alone needs them. */
export type DocumentTexts = typeof documentDe & {
  /** The offer of this language on a page in another one. */
  offer: string;
};

/** All texts for guests in a language other than German. */
export interface Spoken {
  locale: string;
  shell: ShellTexts;
  errors: ErrorTexts & UploadErrorTexts & FileErrorTexts;
  guest: GuestTexts;
  later: LaterTexts;
  gallery: GalleryTexts;
  photo: PhotoTexts;
  release: ReleaseTexts;
  join: JoinTexts;
  privacy: PrivacyTexts;
  download: DownloadTexts;
  report: ReportTexts;
  video: VideoTexts;
  cookies: CookieTexts;
  unkept: CookielessTexts;
}
