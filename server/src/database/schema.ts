import type { GalleryMode } from '@feierbild/contract/gallery.ts';
import type { PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Generated, Selectable, Transaction } from 'kysely';
import type { Bytes } from '../lib/bytes.ts';

export type Trx = Transaction<Database>;

/**
 * What happened to an event: a photo was added, deleted, put into the slideshow or taken out; a video got its poster; an announced
 * photo its original, which was decoded and shows the same, its preview made place for another one, or it cannot be decoded; the event was
 * edited; some of its sessions ended.
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

/**
 * The rows, the same on both engines. Flags are 0 or 1, instants are ms since 1970, days `YYYY-MM-DD`, sizes bytes.
 * Wrapped keys live in tables of their own, so that destroying them can be proved (see retention).
 */
export interface Database {
  /** The operator's key pair: one row, id 1. */
  operator_keys: { id: number; public_key: Bytes; created_at: number };
  admins: { id: string; username: string; created_at: number; password_changed_at: number | null };
  /**
   * Each admin's private key wrapped under the password, and the operator's private key sealed to the admin's public key. Null:
   * the admin's key pair is the operator's pair itself (until the first change of a password).
   */
  admin_keys: { admin_id: string; public_key: Bytes; wrapped: Bytes; sealed_operator_key: Bytes | null };
  /**
   * Of an assistant, in place of a row in `admin_keys`: the own private key wrapped under the password. It proves the login and leads to
   * no other key. Which of the two tables has the row is the account's role, so that it never changes.
   */
  assistant_keys: { admin_id: string; public_key: Bytes; wrapped: Bytes };
  /** The operator's private key under the recovery code: at most one row, id 1. */
  recovery_keys: { id: number; public_key: Bytes; wrapped: Bytes; sealed_operator_key: Bytes; created_at: number };
  /**
   * The secret of an administrator's one-time codes, sealed to the administrator. `last_step`: the last of its steps that was used;
   * `confirmed_at`: null until a code has proved that an app has the secret, so long it is no factor.
   */
  totp_factors: {
    admin_id: string;
    sealed_secret: Bytes;
    last_step: number;
    created_at: number;
    confirmed_at: number | null;
    last_used_at: number | null;
  };
  /** `credential_id` in base64url; `transports` separated by spaces; `counter` as the passkey last told it. */
  passkeys: {
    id: string;
    admin_id: string;
    credential_id: string;
    public_key: Bytes;
    counter: number;
    transports: string;
    name: string;
    created_at: number;
    last_used_at: number | null;
  };
  /** Challenges that passkeys are asked to sign, by a hash that includes the purpose; used once. */
  factor_challenges: { hash: Bytes; admin_id: string; expires_at: number };

  events: EventsTable;
  /** What happened to an event in the last hour, for open pages; written in the transaction that does it (changes.ts). */
  changes: { event_id: string; seq: number; kind: ChangeKind; photo_id: string | null; at: number };
  event_keys: { event_id: string; public_key: Bytes; sealed_for_operator: Bytes };
  /**
   * Secrets of events, under which the wrapped keys of their photos are encrypted once more: destroying the secret destroys them all.
   * `renew_at`: since when photos were deleted whose keys only a new secret destroys; null: none were (always on SQLite).
   */
  event_secrets: { event_id: string; id: number; secret: Bytes; renew_at: Generated<number | null> };
  /** Passwords of guests and of the Fotobox: an argon2id verifier and a copy sealed to the event. `kind`: 'upload' or 'fotobox'. */
  event_passwords: { event_id: string; kind: string; verifier: string; sealed: Bytes };

  hosts: {
    event_id: string;
    created_at: number;
    reset_at: number | null;
    reset_seen_at: number | null;
    first_login_at: Generated<number | null>;
  };
  /** Where mail to an event's host goes. `muted`: topics that the host wants no mail about, separated by spaces. */
  host_contacts: { event_id: string; email: string; name: string; muted: string };
  /** What the operator notes about an event; no row, or empty texts: nothing. */
  event_notes: { event_id: string; customer: string; order_number: string; note: string };
  /** The event's private key wrapped under the host's password. */
  host_keys: { event_id: string; wrapped: Bytes };

  sessions: {
    id: string;
    token_hash: Bytes;
    /** 'user', 'admin', 'assistant', 'projector', 'gallery', 'helper' or 'program'. */
    role: string;
    event_id: string | null;
    admin_id: string | null;
    created_at: number;
    last_used_at: number;
    expires_at: number;
    expires_at_latest: number;
  };
  /** The event's (of a guest its gallery's, or an admin's or assistant's) private key wrapped under the session's token. */
  session_keys: { session_id: string; wrapped: Bytes };

  devices: {
    event_id: string;
    device_hash: Bytes;
    first_seen_at: number;
    /** Of the pair that the device's id gives; null where it sent nothing since there is such a pair. */
    public_key: Generated<Bytes | null>;
  };
  /** The key of all descriptions that a device gave, sealed to the event's public key. */
  guest_keys: { event_id: string; device_hash: Bytes; sealed_for_event: Bytes };
  /** The pair of the guests' gallery: its private key sealed to the event. */
  gallery_keys: { event_id: string; public_key: Bytes; sealed_for_event: Bytes };
  /**
   * Links by which a gallery, or the release of photos, is entered, or a host sets the password: the private key under the link's token, and
   * the token sealed to the event. `expires_at`: null where it ends with the event.
   */
  invitations: { event_id: string; role: InvitedRole | 'host'; wrapped: Bytes; sealed_token: Bytes; expires_at: Generated<number | null> };
  /** What the host has chosen for the walls, JSON (contract/calls/wall.ts). */
  walls: { event_id: string; version: number; state: string };
  /** A code that is typed on a television: the event's private key wrapped by what stands behind the selector. */
  wall_codes: { event_id: string; selector: string; wrapped: Bytes; expires_at: number };
  /** Of a guest with a shown photo the name, sealed to the gallery; for a device that sent photos the gallery's private key, sealed to it when the host was there. */
  gallery_guests: { event_id: string; device_hash: Bytes; name: Bytes | null; access: Bytes | null };
  hearts: { photo_id: string; device_hash: Bytes; event_id: string };
  photos: PhotosTable;
  /** Keys of the photos that the gallery shows, sealed to its pair, covered; a photo that is not shown has none. */
  gallery_photo_keys: { photo_id: string; event_id: string; secret_id: number; sealed_for_gallery: Bytes };
  photo_keys: {
    photo_id: string;
    event_id: string;
    /** Of the event's secret that covers the two wrapped keys. */
    secret_id: number;
    /** The photo's key, sealed to the event's public key, covered. */
    sealed_for_event: Bytes;
    /** The photo's key, wrapped under the uploading device's id, covered. */
    wrapped_for_device: Bytes;
    /** SHA-256 and CRC-32 of the original (of an announced photo those of its preview), sealed under the photo's key. */
    facts: Bytes;
  };

  uploads: Omit<UploadRow, 'announced'> & { announced: Generated<number> };
  /** The key of an upload's parts, wrapped under the uploading device's id; gone when the upload is finished. */
  upload_keys: { upload_id: string; event_id: string; wrapped: Bytes };
  /** The parts of an upload in the order of `n`, which has gaps; sizes of the plain bytes. */
  upload_parts: { upload_id: string; n: number; size: number };

  /** Temporary links by the hash of their token. The row stays when its photo is deleted. */
  links: { token_hash: Bytes; expires_at: number };
  /** The photo's key wrapped under the link's token; gone when the link ends. */
  link_keys: { token_hash: Bytes; photo_id: string; wrapped: Bytes };

  archives: {
    event_id: string;
    /** 'processing' | 'complete' | 'failed'. */
    status: string;
    /** 0 to 100. */
    progress: number;
    /** While processing: when the run last reported progress. */
    started_at: number;
    finished_at: number | null;
    /** Strong validator without quotes, of the finished ZIP; while processing, the token of the run that makes it. */
    etag: string | null;
    /** Bytes of the finished ZIP. */
    size: number | null;
    photo_count: number;
    /** The list of entries, sealed to the event. */
    manifest: Bytes | null;
    /** Of the photos in it the last bytes of their ids, one after the other; null where a release made it that did not know. */
    members: Generated<Bytes | null>;
    /** Bytes sent without a gap from the first byte on, over all requests. */
    downloaded_bytes: Generated<number>;
    /** The number of the event's last change when the run began: what came by then is in the ZIP. */
    seq: Generated<number>;
  };

  /** Reports of photos to the operator. */
  reports: {
    id: string;
    received_at: number;
    event: string;
    photo: string;
    reason: string;
    name: string;
    email: string;
    settled_at: number | null;
    settled_by: string | null;
  };

  outbox: OutboxRow;
  /** Receipts of deleted events, from the beginning of the purge on (features/receipts). */
  receipts: ReceiptsTable;
  /** Tokens of programs, by their hash. `scopes`: separated by spaces. */
  api_tokens: {
    id: string;
    name: string;
    scopes: string;
    token_hash: Bytes;
    created_at: number;
    created_by: string;
    last_used_at: number | null;
  };
  /**
   * Addresses that are told what happens. `topics`: separated by spaces; `secret`: of the signatures; `created_at`: since when it is told;
   * `told_until`: until when all that happened is in the outbox.
   */
  webhooks: {
    id: string;
    name: string;
    url: string;
    topics: string;
    secret: string;
    active: number;
    created_at: number;
    told_until: number;
  };
  /** Calls by keyed hashes of their keys and bodies; `answer`: JSON. */
  kept_answers: { id: Bytes; body: Bytes; answer: string; expires_at: number };

  /** The public demo, one row, id 1; its password is public by intent. */
  demo: { id: number; code: string; password: string; event_id: string | null; reset_at: number | null };

  /** Chosen photos that a session may download as a ZIP for a while: the list is sealed to the event. */
  selections: {
    id: string;
    event_id: string;
    session_id: string;
    etag: string;
    manifest: Bytes;
    created_at: number;
    expires_at: number;
  };

  /**
   * One row, id 1: the last instant at which the clock was trusted, since when deletions are refused because it jumped ahead, and
   * when an operator last confirmed it.
   */
  clock: { id: number; trusted_at: number; refused_at: number | null; confirmed_at: number | null };
  /** Values of this installation, by name: the random key of its address hashes, and when and where to the last backup was taken (JSON). */
  settings: { name: string; value: Bytes };
  /**
   * What operators set in the browser, by section: the highest version counts. `value` is JSON, null: as without settings. `restored`: it
   * is a copy of this version (0: nothing set), because a change was taken back.
   */
  setting_versions: {
    section: string;
    version: number;
    value: string | null;
    restored: number | null;
    changed_at: number;
    changed_by: string;
  };
  /** One row, id 1: where mail is handed over, as it was set in the browser, and from whom it is; the password under the installation's key. */
  mail_server: { id: number; host: string; port: number; username: string; sealed_password: Bytes | null; sender: string; origin: string };
  /**
   * Pictures that everybody may see, of 200 KB at most: logos, and the title pictures of events (`event_id`). One that was made of a photo
   * (`photo_id`) goes with that.
   */
  pictures: {
    id: string;
    event_id: string | null;
    photo_id: string | null;
    type: string;
    width: number;
    height: number;
    content: Bytes;
    created_at: number;
  };
  /**
   * Failed attempts: `bucket` is a hash of the address, account or event that they are counted for. `open`: attempts that have not ended,
   * until `open_until`; what ended without a word by then has not failed.
   */
  failures: { bucket: string; window_start: number; count: number; open: Generated<number>; open_until: Generated<number> };
  /** Work that one node does at a time. `ran_at`: when the last run that succeeded began. By the database's clock. */
  leases: { name: string; holder: string; expires_at: number; ran_at: Generated<number | null> };
  /** Keys of blobs that could not be removed, or whose row may have been committed or not. */
  orphans: { key: string; at: number };
  /** Tables to rewrite because keys were deleted from them; written by triggers, only on PostgreSQL. `urgent`: not only at night. */
  due_rewrites: { id: Generated<number>; table_name: string; urgent: number; at: number };
  audit: {
    id: string;
    at: number;
    actor: string;
    action: string;
    event_id: string | null;
    event_code: string | null;
    address: string | null;
  };
}

/** Who a link makes of its reader. */
export type InvitedRole = 'gallery' | 'helper' | 'projector';

/** Something that is delivered to the other side of a network, once, and again until it is there (features/outbox). */
export interface OutboxRow {
  /** By which the other side can know it again: of a mail in its Message-ID, of a webhook in its header. Follows from `once` where that is set. */
  id: string;
  /** Who delivers it: 'mail', 'webhook'. */
  kind: string;
  /** Entries of one lane are delivered one after the other: a silent address holds up nobody else. */
  lane: string;
  /** What it says: the name of a template, or of an event of webhooks. */
  topic: string;
  /** It goes with this event; null: it stays. */
  event_id: string | null;
  /** What may be there only once. */
  once: string | null;
  /** JSON; null once it was delivered. */
  payload: string | null;
  /** The process that alone can deliver it, because it needs what is in no database; null: any. */
  keeper: string | null;
  created_at: number;
  due_at: number;
  /** Begun so far, since it was last asked for. */
  attempts: number;
  /** A process delivers it until then, by the database's clock; 0: none does. */
  held_until: number;
  /** `dropped`: nobody needs it any more, or somebody settled it; `failed`: the other side never took it, or refused it for good. */
  state: 'waiting' | 'delivered' | 'dropped' | 'failed';
  /** What the other side answered last, and when. */
  answer: string | null;
  answered_at: number | null;
}

export type EventRow = Omit<Selectable<EventsTable>, 'last_position' | 'last_photo'>;
interface EventsTable {
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
  /** Switched by the host alone, on from the start. */
  with_slideshow_names: Generated<number>;
  with_videos: number;
  /** New photos are not shown until the host, or a helper, releases them. */
  with_release: Generated<number>;
  /** After how long a photo is shown about which nobody decided; null: never. */
  release_minutes: Generated<number | null>;
  with_upload_password: number;
  /** Bytes, or null for unlimited. */
  storage_limit: number | null;
  /** Bytes of originals; equals the sum over the photos that have one. */
  used_bytes: number;
  /** Equals the number of photos whose originals are there and that are no videos. */
  photo_count: number;
  video_count: Generated<number>;
  /** Equals the number of photos of which only the preview is there; they are in none of the other counters. */
  announced_count: Generated<number>;
  device_count: number;
  created_at: number;
  /** When the purge of the event began; from then on it accepts no uploads. */
  purging_at: number | null;
  purged_at: number | null;
  /** Increases with each edit, also of what decides about new photos. */
  version: number;
  /** 1 for the public demo: visitors see its samples and the photos of their own browser. */
  demo: Generated<number>;
  /** 1: a program made it, and no administrator's key has proved yet that the operator's key opens its key. */
  unproved: Generated<number>;
  /** When the host first had downloaded the whole ZIP. */
  zip_downloaded_at: number | null;
  /** The number of the change by which the last original came. */
  originals_seq: Generated<number>;
  /** The originals that came up to this change are in a ZIP that the host has downloaded. */
  zip_seq: Generated<number>;
  /** Since when the event's keys fail their check; until they pass again, the event accepts no photos. */
  tampered_at: number | null;
  /** The highest `position` given to a photo of the event so far. */
  last_position: Generated<number>;
  /** The photo that was last let in: its rows follow in the same transaction. */
  last_photo: Generated<string | null>;
  gallery_mode: Generated<GalleryMode>;
  /** When the reveal comes by itself (gallery/due-approvals.ts); null: by hand. */
  gallery_opens_at: Generated<number | null>;
  /** When it was revealed by hand; `gallery_opens_at`: by its time. */
  gallery_revealed_at: Generated<number | null>;
  gallery_photos_per_device: Generated<number | null>;
  /** Whether guests may have originals, and before a reveal see their own photos; whether the wall goes on meanwhile. */
  gallery_originals: Generated<number>;
  gallery_own_meanwhile: Generated<number>;
  gallery_wall_meanwhile: Generated<number>;
  /** Of `PALETTES`; null: the operator's colour. */
  palette: Generated<string | null>;
  /** What messengers show of the event's link, of `LINK_PREVIEWS`; null: its title, where it has no password. */
  link_preview: Generated<string | null>;
  /** Guests are spoken to in their phones' language by itself. */
  phone_language: Generated<number>;
  /** When a Fotobox last showed the event's password, to some minutes. */
  booth_seen_at: Generated<number | null>;
  /** The host's sentence to guests, or empty. */
  welcome: Generated<string>;
  /** The number of the last change. */
  change_seq: Generated<number>;
}

/** An upload that goes on after a break, or the answer to one that is finished (`photo_id` is set). */
export interface UploadRow {
  id: string;
  /** Of the key in its address, under the device's id (docs/vault-format.md). */
  key_hash: Bytes;
  event_id: string;
  device_hash: Bytes;
  /** Hash of the network that began it. */
  network: Bytes;
  /** Bytes of the whole file, and of its parts. */
  length: number;
  received: number;
  /** Increases with each sender and each part: who holds an older one may not add a part. */
  version: number;
  /** 1: the sender gave the password of the Fotobox. */
  fotobox: number;
  /** 1: its photo is shown by a preview, and has its id. */
  announced: number;
  /** Names of guest and file, sealed under the key of the guest; null once finished. */
  description: Bytes | null;
  /** The photo that it became. With neither this nor a description: its photo was announced and deleted, and its original must not come. */
  photo_id: string | null;
  /** UPLOAD_KEPT after it was last fed: begun, taken over by a sender, or given bytes. */
  expires_at: number;
}

export type ReceiptRow = Selectable<ReceiptsTable>;
/** What was deleted with an event, and since when; each instant is null until that was made sure of. It names no person, and outlives the event's row. */
interface ReceiptsTable {
  event_id: string;
  event_code: string;
  /** Originals that the event had when its purge began; `bytes` are theirs. */
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
  /** Once all three are. */
  backups_gone_by: Generated<number | null>;
  public_key: Generated<Bytes | null>;
  signature: Generated<Bytes | null>;
}

export type PhotoRow = Omit<Selectable<PhotosTable>, 'position'>;
interface PhotosTable {
  /** Of an announced photo the id of its upload. */
  id: string;
  event_id: string;
  device_hash: Bytes;
  /** Names of guest and file and the time of capture, sealed under the key of the guest. */
  description: Bytes;
  /** One of ACCEPTED_TYPES or VIDEO_TYPES. */
  type: string;
  state: Generated<PhotoState>;
  /** Bytes of the original; of an announced photo what it will have. */
  size: number;
  /**
   * The blob's version (columns `*_attempt` keep the name of earlier releases), a part of its key where the original came after its
   * preview, maybe by two nodes at a time; else null.
   */
  original_attempt: Generated<string | null>;
  width: number;
  height: number;
  /** Of a video that says it. */
  duration_ms: Generated<number | null>;
  /** Of a video, as in its media type (RFC 6381); null: a picture. */
  codecs: Generated<string | null>;
  thumbnail_type: string;
  /** Bytes of the thumbnail, unsealed. */
  thumbnail_size: number;
  /** Part of the blob's key if the thumbnail was made again, else null. */
  thumbnail_attempt: string | null;
  /** Null until the preview is made; a video without one has no poster but the drawn thumbnail. */
  preview_type: string | null;
  preview_size: number | null;
  preview_attempt: string | null;
  /** Null until a wall needs it. */
  large_type: string | null;
  large_size: number | null;
  large_attempt: string | null;
  /** Who drew thumbnail and preview; `upload`: the server, with the upload and of FIRST_PREVIEW_SIZE; `replaced`: the server, because the phone's were another picture (until it is `stored`: will have). */
  drawn_by: Generated<'server' | 'upload' | 'phone' | 'replaced'>;
  created_at: number;
  slideshow: number;
  /** 0: shown from the start, 1: waits for its release, 2: was decided about. */
  release_state: Generated<number>;
  /** When one that waits is shown without a decision; null: not before one. */
  release_at: Generated<number | null>;
  /** A picture that belongs to the demo itself. */
  sample: Generated<number>;
  /** How often booths' folders were told that it is stored, and have not taken that back (dav-told.store.ts). */
  told: Generated<number>;
  /** HMAC of the original's SHA-256 (of an announced photo of its upload's key) under a key derived from the device id: unique within an event. */
  fingerprint: Bytes;
  /**
   * 1, 2, 3 … within the event, in commit order, with gaps where photos were deleted. A client that has read all photos up to a
   * position finds all later ones at higher positions.
   */
  position: number;
}
