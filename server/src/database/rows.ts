import type { GalleryMode } from '@feierbild/contract/gallery.ts';
import type { PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Generated, Selectable } from 'kysely';
import type { Bytes } from '../lib/bytes.ts';

/**
 * Kinds of changes to an event: a photo was added, deleted, put into the slideshow or taken out; a video got its poster; an announced photo
 * got its original, which after decoding shows the same picture, replaces the preview, or cannot be decoded; the event was edited; some of
 * its sessions ended.
 */
export type ChangeKind =
  | 'came'
  | 'gone'
  | 'shown'
  | 'hidden'
  | 'poster'
  | 'received'
  | 'verified'
  | 'replaced'
  | 'unreadable'
  | 'event'
  | 'sessions'
  | 'wall';

/** A message that is delivered to another server once, with repeated attempts (features/outbox). */
export interface OutboxRow {
  /** Identifies the message for the receiver: in a mail's Message-ID, in a webhook's header. Derived from `once` if that is set. */
  id: string;
  /** The feature that delivers it: 'mail', 'webhook'. */
  kind: string;
  /** Entries of one lane are delivered one after the other: a silent address holds up nobody else. */
  lane: string;
  /** The name of a mail's template, or the topic of a webhook. */
  topic: string;
  /** The event with which it is deleted; null: none. */
  event_id: string | null;
  /** Unique key of a message that may exist only once. */
  once: string | null;
  /** JSON; null after the delivery. */
  payload: string | null;
  /** The process that alone can deliver it, because it needs data that is in no database; null: any. */
  keeper: string | null;
  created_at: number;
  due_at: number;
  /** Attempts since the delivery was last asked for. */
  attempts: number;
  /** End of the time for which a process holds it for delivery, by the database's clock; 0: none does. */
  held_until: number;
  /** `dropped`: nobody needs it any more, or somebody settled it; `failed`: the receiver never took it, or refused it for good. */
  state: 'waiting' | 'delivered' | 'dropped' | 'failed';
  /** The receiver's last answer, and its time. */
  answer: string | null;
  answered_at: number | null;
}

export type EventRow = Omit<Selectable<EventsTable>, 'last_position' | 'last_photo'>;
export interface EventsTable {
  id: string;
  code: string;
  title: string;
  subtitle: string;
  start_date: string;
  end_date: string;
  is_active: number;
  with_nsfw_check: number;
  with_random_slideshow: number;
  with_fotobox: number;
  with_user_upload: number;
  with_slideshow: number;
  /** Set by the host alone, on from the start. */
  with_slideshow_names: Generated<number>;
  with_videos: number;
  /** New photos are hidden until the host, or a helper, releases them. */
  with_release: Generated<number>;
  /** Minutes after which a photo is shown without a decision; null: never. */
  release_minutes: Generated<number | null>;
  with_upload_password: number;
  /** Bytes, or null for unlimited. */
  storage_limit: number | null;
  /** Bytes of originals; equals the sum over the photos that have one. */
  used_bytes: number;
  /** Equals the number of pictures whose original is in the store. */
  photo_count: number;
  video_count: Generated<number>;
  /** Equals the number of photos of which only the preview is there; the other counters leave them out. */
  announced_count: Generated<number>;
  device_count: number;
  created_at: number;
  /** Begin of the purge; from then on the event accepts no uploads. */
  purging_at: number | null;
  purged_at: number | null;
  /** Increases with each edit, also of settings that decide about new photos. */
  version: number;
  /** 1 for the public demo: visitors see its samples and the photos of their own browser. */
  demo: Generated<number>;
  /** 1: a program made the event, and no administrator's key has proved yet that the operator's key opens its key. */
  unproved: Generated<number>;
  /** When the host had first downloaded the whole ZIP. */
  zip_downloaded_at: number | null;
  /** Number of the change with which the last original came. */
  originals_seq: Generated<number>;
  /** Change up to which all originals are in a ZIP that the host has downloaded. */
  zip_seq: Generated<number>;
  /** Since when the event's keys fail their check; the event accepts no photos until they pass again. */
  tampered_at: number | null;
  /** Highest `position` given to a photo of the event so far. */
  last_position: Generated<number>;
  /** The photo that was admitted last: the same transaction writes its rows. */
  last_photo: Generated<string | null>;
  gallery_mode: Generated<GalleryMode>;
  /** When the reveal comes by itself (gallery/due-approvals.ts); null: by hand. */
  gallery_opens_at: Generated<number | null>;
  /** When the gallery was revealed by hand; equals `gallery_opens_at` after a reveal by time. */
  gallery_revealed_at: Generated<number | null>;
  gallery_photos_per_device: Generated<number | null>;
  /** Whether guests may have originals; before a reveal: whether they see their own photos, and whether the wall goes on. */
  gallery_originals: Generated<number>;
  gallery_own_meanwhile: Generated<number>;
  gallery_wall_meanwhile: Generated<number>;
  /** One of `PALETTES`; null: the operator's colour. */
  palette: Generated<string | null>;
  /** One of `LINK_PREVIEWS`, for messengers; null: the title, if the event has no password. */
  link_preview: Generated<string | null>;
  /** 1: pages address guests in the language of their phones. */
  phone_language: Generated<number>;
  /** When a Fotobox last showed the event's password, accurate to some minutes. */
  booth_seen_at: Generated<number | null>;
  /** The host's sentence to guests, or empty. */
  welcome: Generated<string>;
  /** Number of the last change. */
  change_seq: Generated<number>;
}

/** An upload that can be resumed, or the note of a finished one (`photo_id` is set). */
export interface UploadRow {
  id: string;
  /** Hash of the key in its address, under the device's id (docs/vault-format.md). */
  key_hash: Bytes;
  event_id: string;
  device_hash: Bytes;
  /** Hash of the network that began it. */
  network: Bytes;
  /** Bytes of the whole file, and of its parts. */
  length: number;
  received: number;
  /** Increases with each sender and each part: a sender with an older version may not add a part. */
  version: number;
  /** 1: the sender gave the password of the Fotobox. */
  fotobox: number;
  /** 1: a preview shows its photo, which has its id. */
  announced: number;
  /** Names of guest and file, sealed under the guest's key; null once finished. */
  description: Bytes | null;
  /** The photo that it became. Without this and a description: its photo was announced and deleted, and the original is refused. */
  photo_id: string | null;
  /** UPLOAD_KEPT after it was last begun, taken over by a sender, or given bytes. */
  expires_at: number;
}

export type ReceiptRow = Selectable<ReceiptsTable>;
/** Counts and steps of an event's deletion, without names; a step's instant is null until it is verified. Outlives the event's row. */
export interface ReceiptsTable {
  event_id: string;
  event_code: string;
  /** Originals that the event had when its purge began, and their bytes. */
  photos: number;
  videos: number;
  bytes: number;
  begun_at: number;
  /** All rows with keys were deleted; their bytes may still be in the database's files. */
  rows_gone_at: Generated<number | null>;
  /** No byte of a photo is left in the store. */
  bytes_gone_at: Generated<number | null>;
  /** No byte of the keys is left in the database's files. */
  keys_destroyed_at: Generated<number | null>;
  /** Set once all three steps are done. */
  backups_gone_by: Generated<number | null>;
  public_key: Generated<Bytes | null>;
  signature: Generated<Bytes | null>;
}

export type PhotoRow = Omit<Selectable<PhotosTable>, 'position'>;
export interface PhotosTable {
  /** Equals the id of its upload if the photo was announced. */
  id: string;
  event_id: string;
  device_hash: Bytes;
  /** Names of guest and file and the time of capture, sealed under the guest's key. */
  description: Bytes;
  /** One of ACCEPTED_TYPES or VIDEO_TYPES. */
  type: string;
  state: Generated<PhotoState>;
  /** Bytes of the original; announced photos have it before the original comes. */
  size: number;
  /**
   * Version of the blob, a part of its key, if the original came after its preview, maybe by two nodes at a time; else null. (The columns
   * `*_attempt` keep the name of earlier releases.)
   */
  original_attempt: Generated<string | null>;
  width: number;
  height: number;
  /** Set for videos that tell it. */
  duration_ms: Generated<number | null>;
  /** Codecs of a video as in its media type (RFC 6381); null: a picture. */
  codecs: Generated<string | null>;
  thumbnail_type: string;
  /** Bytes of the thumbnail, unsealed. */
  thumbnail_size: number;
  /** Part of the blob's key if the thumbnail was made again, else null. */
  thumbnail_attempt: string | null;
  /** Null until the preview is made; a video without one has only the drawn thumbnail as poster. */
  preview_type: string | null;
  preview_size: number | null;
  preview_attempt: string | null;
  /** Null until a wall needs it. */
  large_type: string | null;
  large_size: number | null;
  large_attempt: string | null;
  /** Origin of the pictures. `upload`: the server, small, with the upload; `replaced`: the server, as the phone's was another picture. */
  drawn_by: Generated<'server' | 'upload' | 'phone' | 'replaced'>;
  created_at: number;
  slideshow: number;
  /** 0: shown from the start, 1: waits for its release, 2: was decided about. */
  release_state: Generated<number>;
  /** When a waiting photo is shown without a decision; null: never. */
  release_at: Generated<number | null>;
  /** 1: a picture of the demo itself. */
  sample: Generated<number>;
  /** How often booths' folders were told that the photo is stored, less how often they deleted it (dav-told.store.ts). */
  told: Generated<number>;
  /** HMAC of the original's SHA-256 (while announced of the upload's key) under a key from the device id: unique within an event. */
  fingerprint: Bytes;
  /**
   * 1, 2, 3 … within the event, in commit order, with gaps after deletions. A client that has read all photos up to a position finds all
   * later ones at higher positions.
   */
  position: number;
}
