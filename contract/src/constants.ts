/** The product's numbers, each once. Durations are milliseconds unless the name says otherwise. */

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Decimal gigabyte, in bytes. */
export const GB = 1_000_000_000;
/** Decimal megabyte, in bytes. */
export const MB = 1_000_000;

/**
 * The rights of a program with an operator's token. No right includes photos: only the host's key opens them. `calendar:read` is for
 * calendar addresses, which contain their token; it can be combined with `calendar:titles` alone.
 */
export const TOKEN_SCOPES = ['events:read', 'events:write', 'calendar:read', 'calendar:titles'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** The right that a call asks of a program. Only a token from the event's host has `photos:read`. */
export type CallScope = TokenScope | 'photos:read';
/** Limits of program tokens: their number, and the length of a name in characters. */
export const TOKENS_MAX = 100;
export const TOKEN_NAME_MAX = 80;
/** The events that a webhook can subscribe to. */
export const WEBHOOK_TOPICS = [
  'event.created',
  'event.started',
  'event.ended',
  'event.purged',
  'event.zip_downloaded',
  'event.storage_80',
  'event.storage_100',
  'host.invited',
  'host.logged_in',
  'report.received',
] as const;
export type WebhookTopic = (typeof WEBHOOK_TOPICS)[number];
export const WEBHOOKS_MAX = 20;
export const WEBHOOK_URL_MAX = 2000;
/** Idempotency keys: time for which the first answer is repeated, and longest key in characters. */
export const IDEMPOTENCY_KEPT = 24 * HOUR;
export const IDEMPOTENCY_KEY_MAX = 255;

export const EVENT_CODE_LENGTH = 8;
/** No 0/O, 1/I/L: codes are read off paper and typed by guests. */
export const EVENT_CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Guests can join an event from JOINABLE_DAYS_BEFORE days before its start to JOINABLE_DAYS_AFTER days after its end. */
export const JOINABLE_DAYS_BEFORE = 2;
export const JOINABLE_DAYS_AFTER = 30;

export const UPLOAD_PARALLEL = 6;
export const UPLOAD_ATTEMPTS = 4;
export const UPLOAD_RETRY_PAUSE = 50;
export const PICKER_THUMBNAIL_WORKERS = 6;
/** Days after which a guest's browser drops files that it keeps to send later. */
export const KEPT_ON_DEVICE_DAYS = 30;
/** Longest edge of the thumbnails that the guest's browser draws, pixels. */
export const PICKER_THUMBNAIL_SIZE = 200;

/** Version of the protocol of resumable uploads (https://tus.io/protocols/resumable-upload), and media type of their bodies. */
export const TUS_VERSION = '1.0.0';
export const UPLOAD_BODY_TYPE = 'application/offset+octet-stream';
/** Lifetime of an incomplete upload after its last byte, and of the answer about a finished one. */
export const UPLOAD_KEPT = 24 * HOUR;
/** Incomplete uploads of one device in one event: their number, and their total bytes. */
export const OPEN_UPLOADS = 64;
export const OPEN_UPLOAD_BYTES = 2 * GB;
/** Fingerprints in one request. */
export const KNOWN_AT_ONCE = 200;

/** Longest edges of the server's renditions, pixels. */
export const THUMBNAIL_SIZE = 400;
export const PREVIEW_SIZE = 2048;
/** Longest edge of the picture for a wall with more pixels than the preview has. */
export const LARGE_SIZE = 3840;
export const MAX_PIXELS = 200_000_000;
/** Largest HEIC that is decoded; larger ones are shown by their embedded thumbnail. */
export const MAX_HEIC_PIXELS = 64_000_000;

/** Longest edge of the preview made with an upload, pixels. One of PREVIEW_SIZE is made when a screen requests it. */
export const FIRST_PREVIEW_SIZE = 1600;
/** The preview that a phone sends ahead of its photo: media type, longest edge as drawn, and the server's limits in pixels and bytes. */
export const PREVIEW_TYPE = 'image/jpeg';
export const DRAWN_SIZE = 1600;
export const PREVIEW_EDGE_MAX = 1700;
export const PREVIEW_BYTES_MAX = 400_000;
/** Tolerated difference between the aspect ratios of preview and photo, as a share: browsers round. */
export const SAME_SHAPE = 0.02;
/** Most photos of an event without their original. */
export const ANNOUNCED_OF_EVENT = 5000;

/** The still picture that a phone sends with a video: longest edge in pixels, and size in bytes. */
export const POSTER_SIZE = 1600;
export const POSTER_BYTES = 400 * 1024;

export const DEVICE_NAME_LENGTH = 60;
export const ANONYMOUS = 'Anonym';
export const FILENAME_LENGTH = 200;
export const TITLE_LENGTH = 320;
export const GUEST_PASSWORD_MIN = 4;
export const GUEST_PASSWORD_MAX = 64;
/** Longest inputs of a login, in characters. */
export const LOGIN_NAME_MAX = 200;
export const PASSWORD_MAX = 1000;
export const ADMIN_PASSWORD_MIN = 12;
export const ADMIN_USERNAME_MAX = 60;

export const PHOTOS_PER_PAGE = 30;
export const PHOTOS_PER_PAGE_MAX = 100;
/** Most exceptions from the release of all photos: the body of a call holds no more. */
export const RELEASE_EXCEPTIONS = 1000;
/** Most photos in one answer of the slideshow's list, some 4 MB. Paging reaches all of them. */
export const SLIDESHOW_PHOTOS = 10_000;
export const ADMIN_EVENTS_PER_PAGE_MAX = 200;
/** Limits of a table of events: rows, and bytes of the file. */
export const CSV_ROWS_MAX = 500;
export const CSV_BYTES_MAX = 2 * MB;
/** Most events in one change or one print. */
export const MANY_EVENTS_MAX = 100;
/** Most days of one extension of many events. */
export const EXTEND_DAYS_MAX = 365;
export const AUDIT_PER_PAGE = 100;
export const AUDIT_PER_PAGE_MAX = 500;
export const GALLERY_PRELOADED_PAGES = 3;
/** Interval at which a visible guest's page asks for news. */
export const GUEST_GALLERY_REFRESH = 15 * SECOND;
/** Longest wait for a release before a photo is shown without it, minutes. */
export const RELEASE_MINUTES_MAX = 24 * 60;
/** Highest limit of photos per device that a host can set. */
export const GALLERY_DEVICE_PHOTOS_MAX = 10_000;
/** Most hearts of a photo: more than a party has phones, but too few to flood the database with made-up devices. */
export const HEARTS_OF_PHOTO = 1000;
/** Distance from the page's bottom at which the gallery loads on, CSS pixels. */
export const GALLERY_LOAD_DISTANCE = 1000;
export const ZIP_POLL_INTERVAL = 1 * SECOND;
export const COPIED_NOTICE = 2 * SECOND;

export const SLIDESHOW_INTERVAL = 10 * SECOND;
export const SLIDESHOW_REFRESH = 120 * SECOND;
export const SLIDESHOW_MIN_PHOTOS = 5;
export const SLIDESHOW_PRELOAD = 8;
export const SLIDESHOW_CACHE = 20;
export const CONTROLS_HIDE = 3 * SECOND;

export const QR_SIZE_CREDENTIALS = 128;
export const QR_SIZE_SHARE = 150;

/** Lifetime of a session after its last use, and in total. */
export const SESSIONS = {
  user: { idle: 30 * DAY, longest: 90 * DAY },
  admin: { idle: 12 * HOUR, longest: 7 * DAY },
  assistant: { idle: 12 * HOUR, longest: 7 * DAY },
  /** A locked slideshow: long enough for a party, but not much longer, because the laptop may be passed on. */
  projector: { idle: 7 * DAY, longest: 30 * DAY },
  /** A guest in the gallery, and the host's helper: both end with the event. */
  gallery: { idle: 30 * DAY, longest: 90 * DAY },
  helper: { idle: 7 * DAY, longest: 30 * DAY },
  /**
   * A program with the host's permission, which is given before the party and used after it. The end of the event comes sooner and ends it.
   */
  program: { idle: 3650 * DAY, longest: 3650 * DAY },
};
export const DEVICE_COOKIE = 365 * DAY;
/** Time for which a browser counts as one that was logged in. */
export const KNOWN_BROWSER_COOKIE = 365 * DAY;
/** Lifetime of a guest's choice of language. */
export const LANGUAGE_COOKIE = 365 * DAY;

/** Failed attempts allowed within a window; successes are never limited. */
export const LOGIN_FAILURES = { count: 10, window: 10 * MINUTE };
/**
 * Wrong second factors after a right password, counted by account from all addresses. A browser that has given a right one counts apart.
 */
export const FACTOR_FAILURES = { count: 10, window: 1 * HOUR };
/** Time to use a passkey. */
export const PASSKEY_TIME = 5 * MINUTE;
export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_MAX = 60;
export const EVENT_PASSWORD_FAILURES = { count: 30, window: 10 * MINUTE };
export const EVENT_CODE_FAILURES = { count: 60, window: 1 * MINUTE };
/** Unknown link tokens from one address: each of them costs a search through all events. */
export const BOOTH_TOKEN_FAILURES = { count: 60, window: 10 * MINUTE };
/** Reports from one address: enough for a whole party, but too few to flood the operator. */
export const REPORTS = { count: 20, window: 1 * HOUR };
/** Lifetime of the counters above: the longest window; the next hourly run removes them. */
export const FAILURES_KEPT = Math.max(
  ...[LOGIN_FAILURES, FACTOR_FAILURES, EVENT_PASSWORD_FAILURES, EVENT_CODE_FAILURES, BOOTH_TOKEN_FAILURES, REPORTS].map(
    ({ window }) => window,
  ),
);

/** Most photos in a ZIP of a selection; time for which it can be downloaded after it was made or read, and after it was made. */
export const SELECTION_PHOTOS = 20_000;
export const SELECTION_LIFETIME = 1 * HOUR;
export const SELECTION_LONGEST = 6 * HOUR;

/**
 * Free space on the disk of the data folder, bytes: below the first value an operator is warned, below the second photos may be refused
 * soon.
 */
export const DISK_SCARCE = 10 * GB;
export const DISK_TOO_LITTLE = 1 * GB;

export const LINK_LIFETIME = 7 * DAY;
/** Time for which an expired link can be told from one that never existed. */
export const LINK_REMEMBERED = 90 * DAY;
/** Time for which a Fotobox token is awaited after its creation: the booth's clock may be wrong. */
export const BOOTH_TOKEN_AWAITED = 90 * DAY;
export const DEMO_RESET = 2 * HOUR;
/** Limits of the demo: photos of a device, and bytes in all with the samples. */
export const DEMO_PHOTOS = 20;
export const DEMO_BYTES = 200 * MB;
/** Storage that the demo shows, GB: that of the package „Standard“. */
export const DEMO_SHOWN_GIGABYTES = 15;
export const PHOTOS_KEPT_DAYS = 30;
/** Days before the photos' last day from which on pages and mails warn of the deletion. */
export const DELETION_NEAR_DAYS = 7;
export const ADDRESSES_KEPT = 7 * DAY;
/** Retention of purged events' rows and of the audit trail: 12 months. */
export const RECORDS_KEPT = 365 * DAY;
/** Longest retention of a backup: it contains photos that were deleted later. */
export const BACKUPS_KEPT_DAYS = 14;
/** Age at which a daily backup counts as missed; the next one may begin some time later than the day before. */
export const BACKUP_LATE = 26 * HOUR;

/** Accepted types, detected by decoding, in the order in which people see them. */
export const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heic', 'image/heif'] as const;
/** Accepted types of videos where the event's switch is on, detected by reading their boxes. */
export const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm'] as const;
/** Lifetime of a host's unused invitation. */
export const INVITATION_KEPT = 14 * DAY;
/** Shortest password that a host can set, in characters that count. */
export const HOST_PASSWORD_MIN = 12;

/** Port on which a mail server speaks TLS from the first byte; on all others it starts after STARTTLS. */
export const SMTP_TLS_PORT = 465;
