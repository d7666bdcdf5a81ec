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
 * The rights of a program with an operator's token. None includes photos: they open with the host's key alone. `calendar:read` is for
 * addresses of calendars, which contain their token, and goes with `calendar:titles` alone.
 */
export const TOKEN_SCOPES = ['events:read', 'events:write', 'calendar:read', 'calendar:titles'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** The right that a program needs for a call. Only the token of the event's host has `photos:read`. */
export type CallScope = TokenScope | 'photos:read';
/** Tokens of programs, and the longest name of one. */
export const TOKENS_MAX = 100;
export const TOKEN_NAME_MAX = 80;
/** What a webhook may be told of. */
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
/** An answer is repeated for the same key so long; the longest key. */
export const IDEMPOTENCY_KEPT = 24 * HOUR;
export const IDEMPOTENCY_KEY_MAX = 255;

export const EVENT_CODE_LENGTH = 8;
/** No 0/O, 1/I/L: codes are read off paper and typed by guests. */
export const EVENT_CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** An event is joinable from this many days before its start to this many after its end. */
export const JOINABLE_DAYS_BEFORE = 2;
export const JOINABLE_DAYS_AFTER = 30;

export const UPLOAD_PARALLEL = 6;
export const UPLOAD_ATTEMPTS = 4;
export const UPLOAD_RETRY_PAUSE = 50;
export const PICKER_THUMBNAIL_WORKERS = 6;
/** What a guest's browser keeps to send it later goes after this time at the latest. */
export const KEPT_ON_DEVICE_DAYS = 30;
/** Longest edge of the thumbnails that the guest's browser draws, pixels. */
export const PICKER_THUMBNAIL_SIZE = 200;

/** The protocol of uploads that go on after a break (https://tus.io/protocols/resumable-upload), and the type of their bodies. */
export const TUS_VERSION = '1.0.0';
export const UPLOAD_BODY_TYPE = 'application/offset+octet-stream';
/** An incomplete upload is kept for so long after its last byte; a finished one can be asked about for so long. */
export const UPLOAD_KEPT = 24 * HOUR;
/** Uploads that are not complete, of one device in one event, and their bytes in all. */
export const OPEN_UPLOADS = 64;
export const OPEN_UPLOAD_BYTES = 2 * GB;
/** Fingerprints that are asked about at once. */
export const KNOWN_AT_ONCE = 200;

/** Longest edges of the server's renditions, pixels. */
export const THUMBNAIL_SIZE = 400;
export const PREVIEW_SIZE = 2048;
/** Of the picture that is made for a wall with more pixels than the preview has. */
export const LARGE_SIZE = 3840;
export const MAX_PIXELS = 200_000_000;
/** Largest HEIC that is decoded; larger ones are shown by their embedded thumbnail. */
export const MAX_HEIC_PIXELS = 64_000_000;

/** Longest edge of the preview that is made with an upload, pixels: one of PREVIEW_SIZE is made where a screen asks for it. */
export const FIRST_PREVIEW_SIZE = 1600;
/** Of the preview that a phone draws ahead of its photo: type, longest edge, pixels; and what the server takes at most. */
export const PREVIEW_TYPE = 'image/jpeg';
export const DRAWN_SIZE = 1600;
export const PREVIEW_EDGE_MAX = 1700;
export const PREVIEW_BYTES_MAX = 400_000;
/** The part by which its shape may differ from the photo's: browsers round. */
export const SAME_SHAPE = 0.02;
/** Photos of an event of which only the preview is there. */
export const ANNOUNCED_OF_EVENT = 5000;

/** Of the still picture that a phone sends with a video: longest edge, pixels, and bytes. */
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
/** Photos that stay as they are where all others are released: as many as the body of a call holds. */
export const RELEASE_EXCEPTIONS = 1000;
/** Most photos that the slideshow's list answers at once, some 4 MB; by pages it answers all. */
export const SLIDESHOW_PHOTOS = 10_000;
export const ADMIN_EVENTS_PER_PAGE_MAX = 200;
/** Of a table of events: rows, and bytes of the file. */
export const CSV_ROWS_MAX = 500;
export const CSV_BYTES_MAX = 2 * MB;
/** Most events that one call changes, or that are printed at once. */
export const MANY_EVENTS_MAX = 100;
/** Most days that many events are made longer by at once. */
export const EXTEND_DAYS_MAX = 365;
export const AUDIT_PER_PAGE = 100;
export const AUDIT_PER_PAGE_MAX = 500;
export const GALLERY_PRELOADED_PAGES = 3;
/** How often a guest's page asks for news while it is seen. */
export const GUEST_GALLERY_REFRESH = 15 * SECOND;
/** The longest that a photo may wait for its release before it is shown without one, minutes. */
export const RELEASE_MINUTES_MAX = 24 * 60;
/** The most that a host may let each device send. */
export const GALLERY_DEVICE_PHOTOS_MAX = 10_000;
/** Hearts that a photo can have: more than a party has phones, and little enough that nobody fills the database with made-up ones. */
export const HEARTS_OF_PHOTO = 1000;
/** The gallery loads on within this distance of the page's bottom, CSS pixels. */
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

/** How long a session lives after its last use, and at most. */
export const SESSIONS = {
  user: { idle: 30 * DAY, longest: 90 * DAY },
  admin: { idle: 12 * HOUR, longest: 7 * DAY },
  assistant: { idle: 12 * HOUR, longest: 7 * DAY },
  /** A locked slideshow: long enough for a party, but not much longer, because the laptop may be passed on. */
  projector: { idle: 7 * DAY, longest: 30 * DAY },
  /** A guest in the gallery, and the host's helper: both end with the event. */
  gallery: { idle: 30 * DAY, longest: 90 * DAY },
  helper: { idle: 7 * DAY, longest: 30 * DAY },
  /** A program with the host's leave: made before the party and used after it, so that only the end of the event, which comes sooner, ends it. */
  program: { idle: 3650 * DAY, longest: 3650 * DAY },
};
export const DEVICE_COOKIE = 365 * DAY;
/** How long a browser is known to have been logged in. */
export const KNOWN_BROWSER_COOKIE = 365 * DAY;
/** How long a guest's choice of a language is kept. */
export const LANGUAGE_COOKIE = 365 * DAY;

/** Failures allowed within a window; successes are never limited. */
export const LOGIN_FAILURES = { count: 10, window: 10 * MINUTE };
/** Wrong second factors after a right password: by account, from wherever they come; a browser that has given one before has its own. */
export const FACTOR_FAILURES = { count: 10, window: 1 * HOUR };
/** So long may somebody take to use a passkey, and so many may ask at a time, of one administrator. */
export const PASSKEY_TIME = 5 * MINUTE;
export const PASSKEYS_ASKED = 20;
export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_MAX = 60;
export const EVENT_PASSWORD_FAILURES = { count: 30, window: 10 * MINUTE };
export const EVENT_CODE_FAILURES = { count: 60, window: 1 * MINUTE };
/** Made-up tokens of links from one address, which are looked for among all events. */
export const BOOTH_TOKEN_FAILURES = { count: 60, window: 10 * MINUTE };
/** Reports from one address: enough for a whole party, but too few to flood the operator. */
export const REPORTS = { count: 20, window: 10 * MINUTE };
/** Counters of these are kept as long as the longest window, and until the next hourly run. */
export const FAILURES_KEPT = Math.max(
  ...[LOGIN_FAILURES, FACTOR_FAILURES, EVENT_PASSWORD_FAILURES, EVENT_CODE_FAILURES, BOOTH_TOKEN_FAILURES, REPORTS].map(
    ({ window }) => window,
  ),
);

/** Photos that one ZIP of a selection may hold, and how long it can be downloaded. */
export const SELECTION_PHOTOS = 20_000;
export const SELECTION_LIFETIME = 1 * HOUR;

/** Free room on the disk of the data folder, bytes: below the first an operator is warned, below the second photos may be refused soon. */
export const DISK_SCARCE = 10 * GB;
export const DISK_TOO_LITTLE = 1 * GB;

export const LINK_LIFETIME = 7 * DAY;
/** How long an expired link can be distinguished from one that never existed. */
export const LINK_REMEMBERED = 90 * DAY;
/** For so long after its making a token of a Fotobox is awaited: its clock may be wrong. */
export const BOOTH_TOKEN_AWAITED = 90 * DAY;
export const DEMO_RESET = 2 * HOUR;
/** What visitors of the demo may leave there: photos a device, and bytes in all with the samples. */
export const DEMO_PHOTOS = 20;
export const DEMO_BYTES = 200 * MB;
/** The storage that the demo shows, GB: that of the package „Standard“. */
export const DEMO_SHOWN_GIGABYTES = 15;
export const PHOTOS_KEPT_DAYS = 30;
/** Days before the last day of the photos from which on the deletion is near, and is warned of. */
export const DELETION_NEAR_DAYS = 7;
export const ADDRESSES_KEPT = 7 * DAY;
/** Rows of purged events and of the audit trail: 12 months. */
export const RECORDS_KEPT = 365 * DAY;
/** Backups contain photos that were deleted later, so none may get older. */
export const BACKUPS_KEPT_DAYS = 14;
/** A daily backup that is older was not taken: it may begin some time later than the day before. */
export const BACKUP_LATE = 26 * HOUR;

/** Types that the server accepts, found by decoding; in the order in which people see them. */
export const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heic', 'image/heif'] as const;
/** Videos that the server takes where the event's switch is on, found by reading their boxes. */
export const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm'] as const;
/** An invitation of a host that nobody has used ends after this time. */
export const INVITATION_KEPT = 14 * DAY;
/** Shortest password that a host sets, in characters that count. */
export const HOST_PASSWORD_MIN = 12;

/** On this port a mail server speaks TLS from the first byte; on any other one after STARTTLS. */
export const SMTP_TLS_PORT = 465;
