import type { Generated, Transaction } from 'kysely';
import type { Bytes } from '../lib/bytes.ts';
import type { ChangeKind, EventsTable, OutboxRow, PhotosTable, ReceiptsTable, UploadRow } from './rows.ts';

export type Trx = Transaction<Database>;

/**
 * The rows, the same on both engines. Flags are 0 or 1, instants are ms since 1970, days `YYYY-MM-DD`, sizes bytes. Wrapped keys are in
 * tables of their own, so that their destruction can be proved (see retention).
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
   * An assistant's private key wrapped under the password, in place of a row in `admin_keys`. It proves the login and opens no other key.
   * The table with the account's row is its role, which so never changes.
   */
  assistant_keys: { admin_id: string; public_key: Bytes; wrapped: Bytes };
  /** The operator's private key under the recovery code: at most one row, id 1. */
  recovery_keys: { id: number; public_key: Bytes; wrapped: Bytes; sealed_operator_key: Bytes; created_at: number };
  /**
   * The secret of an administrator's one-time codes, sealed to the administrator. `last_step`: the last time step whose code was used;
   * `confirmed_at`: null until a code has proved that an app has the secret; only then it is a factor.
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
  /** Challenges that passkeys have signed, by a hash that includes the purpose, until their time is over: each counts once. */
  factor_challenges: { hash: Bytes; admin_id: string; expires_at: number };

  events: EventsTable;
  /** An event's changes in the last hour, for open pages; written in the transaction of the change (changes.ts). */
  changes: { event_id: string; seq: number; kind: ChangeKind; photo_id: string | null; at: number };
  event_keys: { event_id: string; public_key: Bytes; sealed_for_operator: Bytes };
  /**
   * Secrets of events, under which the wrapped keys of their photos are encrypted once more: destroying the secret destroys all these keys.
   * `renew_at`: when photos were deleted whose keys only a new secret destroys; null: none (always on SQLite).
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
  /** Mail addresses of events' hosts. `muted`: topics that the host wants no mail about, separated by spaces. */
  host_contacts: { event_id: string; email: string; name: string; muted: string };
  /** The operator's notes about an event; no row means the same as empty texts. */
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
  /** A private key wrapped under the session's token: the event's, its gallery's for a guest, or an admin's or assistant's. */
  session_keys: { session_id: string; wrapped: Bytes };

  devices: {
    event_id: string;
    device_hash: Bytes;
    first_seen_at: number;
    /** Public key of the pair derived from the device's id; null if the device has sent nothing since there is such a pair. */
    public_key: Generated<Bytes | null>;
  };
  /** The key of all descriptions that a device gave, sealed to the event's public key. */
  guest_keys: { event_id: string; device_hash: Bytes; sealed_for_event: Bytes };
  /** The key pair of the guests' gallery: its private key is sealed to the event. */
  gallery_keys: { event_id: string; public_key: Bytes; sealed_for_event: Bytes };
  /**
   * Links that open a gallery or the release of photos, or let a host set the password: the private key under the link's token, and the
   * token sealed to the event. `expires_at`: null if the link ends with the event.
   */
  invitations: { event_id: string; role: InvitedRole | 'host'; wrapped: Bytes; sealed_token: Bytes; expires_at: Generated<number | null> };
  /** The host's choices for the walls, JSON (contract/calls/wall.ts). */
  walls: { event_id: string; version: number; state: string };
  /** A code to be typed on a television: the event's private key wrapped under the part behind the selector. */
  wall_codes: { event_id: string; selector: string; wrapped: Bytes; expires_at: number };
  /** `name` of a shown photo's sender, sealed to the gallery; `access`: the gallery's private key, sealed to a device that sent photos. */
  gallery_guests: { event_id: string; device_hash: Bytes; name: Bytes | null; access: Bytes | null };
  hearts: { photo_id: string; device_hash: Bytes; event_id: string };
  photos: PhotosTable;
  /** Keys of the photos that the gallery shows, sealed to its public key, covered; a hidden photo has none. */
  gallery_photo_keys: { photo_id: string; event_id: string; secret_id: number; sealed_for_gallery: Bytes };
  photo_keys: {
    photo_id: string;
    event_id: string;
    /** Id of the event's secret that covers the two wrapped keys. */
    secret_id: number;
    /** The photo's key, sealed to the event's public key, covered. */
    sealed_for_event: Bytes;
    /** The photo's key, wrapped under the uploading device's id, covered. */
    wrapped_for_device: Bytes;
    /** SHA-256 and CRC-32 of the original (of the preview while a photo is announced), sealed under the photo's key. */
    facts: Bytes;
  };

  uploads: Omit<UploadRow, 'announced'> & { announced: Generated<number> };
  /** The key of an upload's parts, wrapped under the uploading device's id; gone when the upload is finished. */
  upload_keys: { upload_id: string; event_id: string; wrapped: Bytes };
  /** The parts of an upload in the order of `n`, which has gaps; `size` is that of the plain bytes. */
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
    /** Strong validator of the finished ZIP, without quotes; while processing, the token of the run that makes it. */
    etag: string | null;
    /** Bytes of the finished ZIP. */
    size: number | null;
    photo_count: number;
    /** The list of entries, sealed to the event. */
    manifest: Bytes | null;
    /** The last bytes of its photos' ids, one after the other; null in a ZIP of an older release. */
    members: Generated<Bytes | null>;
    /** Bytes sent without a gap from the first byte on, over all requests. */
    downloaded_bytes: Generated<number>;
    /** Parts that went out behind a gap: JSON with the ZIP's ETag and disjoint [start, end) in order; null: none. */
    parts: Generated<string | null>;
    /** The event's `change_seq` when the run began: photos up to this change are in the ZIP. */
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
   * Addresses that are told of occurrences. `topics`: separated by spaces; `secret`: key of the signatures; `created_at`: start of the
   * telling; `told_until`: occurrences up to then are in the outbox.
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
  /** Answers of calls, by keyed hashes of their keys and bodies; `answer`: JSON. */
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
   * One row, id 1: the last instant at which the clock was trusted, when deletions were first refused because it jumped ahead, and when an
   * operator last confirmed it.
   */
  clock: { id: number; trusted_at: number; refused_at: number | null; confirmed_at: number | null };
  /** Values of this installation, by name: the random key of its address hashes, and time and place of the last backup (JSON). */
  settings: { name: string; value: Bytes };
  /**
   * Operators' settings from the browser, by section: the highest version counts. `value` is JSON, null: no settings. `restored`: the value
   * is a copy of this version (0: no settings), because a change was taken back.
   */
  setting_versions: {
    section: string;
    version: number;
    value: string | null;
    restored: number | null;
    changed_at: number;
    changed_by: string;
  };
  /** One row, id 1: the mail server that was set in the browser, and the sender; the password is sealed under the installation's key. */
  mail_server: { id: number; host: string; port: number; username: string; sealed_password: Bytes | null; sender: string; origin: string };
  /**
   * Pictures that everybody may see, of 200 KB at most: logos, and the title pictures of events (`event_id`). A picture made from a photo
   * (`photo_id`) is deleted with it.
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
   * valid until `open_until`; attempts that were not settled by then do not count.
   */
  failures: { bucket: string; window_start: number; count: number; open: Generated<number>; open_until: Generated<number> };
  /** Locks for work that one node does at a time. `ran_at`: when the last successful run began. All by the database's clock. */
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
    /** Name of the account that was added, removed or changed, where it is not the author's. */
    account: string | null;
  };
}

/** The role that a link gives its reader. */
export type InvitedRole = 'gallery' | 'helper' | 'projector';
