import { DEMO_PHOTOS } from './constants.ts';
import type { FactorAsked } from './second-factor.ts';

const SERVER_TROUBLE = 'Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.';

/**
 * The closed list of error codes with their status and the German text of the body's `error`. Every error body is `{error, code, fields?}`;
 * a few codes add fields of their own.
 */
export const errors = {
  unreadable_request: { status: 400, text: 'Diese Anfrage ist nicht lesbar.' },
  invalid_input: { status: 400, text: 'Bitte prüfen Sie Ihre Angaben.' },
  event_code_missing: { status: 400, text: 'Kein Event-Code angegeben' },
  device_id_missing: { status: 400, text: 'Geräte-ID konnte nicht abgerufen werden.' },
  file_missing: { status: 400, text: 'Es wurde keine Datei gesendet.' },
  upload_incomplete: { status: 400, text: 'Die Übertragung wurde unterbrochen. Bitte versuchen Sie es erneut.' },
  archive_empty: { status: 400, text: 'Es gibt noch keine Fotos für das ZIP.' },
  /** English by specification: the login pages translate it. */
  invalid_credentials: { status: 401, text: 'Invalid credentials' },
  /** The password was right; the body's `second_factor` names the factors that the account has. */
  second_factor_required: { status: 401, text: 'Bitte bestätigen Sie die Anmeldung mit Ihrem zweiten Faktor.' },
  second_factor_wrong: { status: 401, text: 'Das hat nicht gestimmt. Bitte versuchen Sie es noch einmal.' },
  login_required: { status: 401, text: 'Bitte melden Sie sich an.' },
  booth_login: { status: 401, text: 'Bitte melden Sie sich an: Benutzer ist der Code des Events, Passwort das der Fotobox.' },
  https_required: { status: 403, text: 'Das geht nur über https.' },
  booth_forbidden: {
    status: 403,
    text: 'Hier legt die Fotobox Bilder ab. Erreichbar sind nur Dateien, die sie selbst gerade abgelegt hat.',
  },
  token_invalid: { status: 401, text: 'Dieses Token gilt nicht. Vielleicht wurde es widerrufen.' },
  token_scope: { status: 403, text: 'Dieses Token ist dafür nicht freigegeben.' },
  token_change: { status: 403, text: 'Das ändert nur die Verwaltung, kein Programm.' },
  assistant_forbidden: { status: 403, text: 'Das kann nur, wer Feierbild verwaltet. Ihr Zugang ist einer für Helfer.' },
  second_factor_missing: { status: 403, text: 'Dafür brauchen Sie einen zweiten Faktor. Bitte richten Sie zuerst einen ein.' },
  foreign_origin: { status: 403, text: 'Diese Anfrage kam von einer fremden Seite und wurde abgelehnt.' },
  event_inactive: { status: 403, text: 'Event ist nicht aktiv' },
  wrong_event_password: { status: 403, text: 'Falsches Event-Passwort' },
  upload_disabled: { status: 403, text: 'Für dieses Event sind Uploads ausgeschaltet.' },
  device_full: { status: 403, text: 'Von diesem Gerät sind schon so viele Fotos da, wie bei diesem Event möglich sind.' },
  gallery_closed: { status: 403, text: 'Die Fotos werden erst bei der Enthüllung gezeigt.' },
  originals_off: { status: 403, text: 'Bei diesem Event gibt der Gastgeber die Originale nicht an Gäste weiter.' },
  demo_full: { status: 403, text: `In der Demo sind höchstens ${DEMO_PHOTOS} Fotos je Gerät möglich.` },
  demo_fixed: { status: 403, text: 'Das geht in der Demo nicht.' },
  link_invalid: { status: 400, text: 'Ungültiger Download-Link.' },
  slideshow_disabled: { status: 403, text: 'Für dieses Event ist die Slideshow ausgeschaltet.' },
  event_not_found: { status: 404, text: 'Event nicht gefunden' },
  photo_not_found: { status: 404, text: 'Foto nicht gefunden' },
  large_missing: { status: 404, text: 'Von diesem Foto gibt es keine große Fassung.' },
  host_not_found: { status: 404, text: 'Für dieses Event gibt es noch keinen Zugang.' },
  report_not_found: { status: 404, text: 'Meldung nicht gefunden' },
  delivery_not_found: { status: 404, text: 'Diese Sendung ist nicht mehr da, oder sie lässt sich nicht wiederholen.' },
  admin_not_found: { status: 404, text: 'Diesen Zugang gibt es nicht.' },
  factor_not_found: { status: 404, text: 'Diesen zweiten Faktor gibt es nicht mehr.' },
  disclosure_not_found: { status: 404, text: 'Dazu ist nichts (mehr) gespeichert.' },
  receipt_not_found: { status: 404, text: 'Dieses Löschprotokoll gibt es nicht oder nicht mehr.' },
  token_not_found: { status: 404, text: 'Dieses Token gibt es nicht mehr.' },
  webhook_not_found: { status: 404, text: 'Diesen Webhook gibt es nicht mehr.' },
  upload_not_found: { status: 404, text: 'Diese Übertragung gibt es nicht.' },
  not_found: { status: 404, text: 'Nicht gefunden' },
  gallery_off: { status: 409, text: 'Für dieses Event gibt es keine Gästegalerie.' },
  host_exists: { status: 409, text: 'Für dieses Event gibt es bereits einen Zugang.' },
  too_many_tokens: { status: 409, text: 'Mehr Tokens sind nicht möglich. Bitte widerrufen Sie zuerst eines.' },
  too_many_webhooks: { status: 409, text: 'Mehr Webhooks sind nicht möglich. Bitte löschen Sie zuerst einen.' },
  totp_exists: { status: 409, text: 'Codes per App sind schon eingerichtet. Bitte entfernen Sie sie zuerst.' },
  too_many_passkeys: { status: 409, text: 'Mehr Passkeys sind nicht möglich. Bitte entfernen Sie zuerst einen.' },
  passkey_refused: { status: 400, text: 'Dieser Passkey ließ sich nicht einrichten. Bitte versuchen Sie es noch einmal.' },
  own_admin: { status: 409, text: 'Den eigenen Zugang können Sie nicht entfernen.' },
  event_purged: { status: 409, text: 'Dieses Event ist bereits gelöscht und kann nicht mehr bearbeitet werden.' },
  event_changed: { status: 409, text: 'Dieses Event wurde inzwischen geändert. Bitte laden Sie es neu.' },
  decided_elsewhere: { status: 409, text: 'Über dieses Foto hat inzwischen jemand anders entschieden.' },
  picture_replaced: {
    status: 409,
    text: 'Das Original dieses Fotos ist ein anderes Bild als seine Vorschau. Bitte sehen Sie es noch einmal an.',
  },
  settings_changed: { status: 409, text: 'Jemand anders hat diese Einstellungen inzwischen geändert. Bitte laden Sie die Seite neu.' },
  receipt_pending: { status: 409, text: 'Das Löschprotokoll entsteht mit der Löschung. Noch gibt es keins.' },
  purge_unconfirmed: { status: 409, text: 'Mit diesem Enddatum werden die Fotos sofort gelöscht. Bitte bestätigen Sie das.' },
  limit_unconfirmed: { status: 409, text: 'Belegt ist schon mehr als diese Grenze. Bitte bestätigen Sie sie.' },
  original_missing: { status: 409, text: 'Von diesem Foto gibt es nur die Vorschau, deshalb gibt es keinen Link dazu.' },
  archive_running: { status: 409, text: 'Das ZIP wird gerade erstellt.' },
  archive_not_ready: { status: 409, text: 'Das ZIP ist noch nicht fertig.' },
  media_unreachable: { status: 422, text: 'Unter den Adressen, die gemeldet wurden, war kein Bild zu haben.' },
  booth_empty: { status: 409, text: 'Von dieser Datei ist kein Bild angekommen. Bitte senden Sie sie noch einmal.' },
  folder_exists: { status: 405, text: 'Diesen Ordner gibt es schon.' },
  file_exists: { status: 412, text: 'Eine Datei mit diesem Namen gibt es schon.' },
  file_changed: { status: 412, text: 'Unter diesem Namen liegt inzwischen etwas anderes.' },
  upload_offset: { status: 409, text: 'Diese Übertragung steht an einer anderen Stelle. Bitte setzen Sie sie dort fort.' },
  upload_key_taken: { status: 409, text: 'Diese Übertragung gibt es schon, für eine andere Datei.' },
  video_not_shared: {
    status: 409,
    text: 'Von diesem Video lässt sich keine Fassung ohne Aufnahmeort machen. Abspielen können es deshalb nur der Gastgeber und wer es gesendet hat, und es gibt keinen Link dazu.',
  },
  invitation_invalid: {
    status: 410,
    text: 'Diese Einladung gilt nicht mehr. Bitte lassen Sie sich eine neue schicken, oder melden Sie sich an, wenn Sie schon ein Passwort haben.',
  },
  upload_expired: { status: 410, text: 'Diese Übertragung ist abgelaufen. Bitte senden Sie die Datei erneut.' },
  photo_removed: { status: 410, text: 'Dieses Foto wurde gelöscht.' },
  link_expired: { status: 410, text: 'Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.' },
  selection_expired: { status: 410, text: 'Diese Auswahl ist abgelaufen. Bitte laden Sie das ZIP aus der Galerie erneut.' },
  request_timeout: { status: 408, text: 'Die Anfrage kam nicht rechtzeitig an. Bitte versuchen Sie es erneut.' },
  tus_version: { status: 412, text: 'Diese Fassung von tus wird nicht verstanden, nur 1.0.0.' },
  too_large: { status: 413, text: 'Diese Datei ist zu groß.' },
  too_many_pixels: { status: 415, text: 'Dieses Bild hat mehr als 200 Megapixel' },
  video_refused: { status: 415, text: 'Bei diesem Event werden keine Videos angenommen' },
  poster_refused: { status: 415, text: 'Dieses Bild passt nicht zum Video' },
  preview_refused: { status: 415, text: 'Diese Vorschau wird nicht angenommen. Das Foto selbst kann gesendet werden.' },
  video_unreadable: { status: 415, text: 'Dieses Video wird nicht angenommen. Möglich sind MP4, MOV und WebM, wie Handys sie aufnehmen.' },
  not_a_photo: { status: 415, text: 'Diese Datei ist kein lesbares Bild' },
  logo_refused: { status: 415, text: 'Ein Logo muss ein PNG, JPEG oder WebP sein.' },
  upload_body_type: {
    status: 415,
    text: 'Die Bytes einer Datei werden nur als application/offset+octet-stream angenommen, die ihrer Vorschau nur als image/jpeg.',
  },
  range_unsatisfiable: { status: 416, text: 'Dieser Bereich liegt außerhalb der Datei.' },
  idempotency_reused: { status: 422, text: 'Dieser Idempotency-Key gehört zu einer anderen Anfrage.' },
  too_many_attempts: { status: 429, text: 'Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es dann erneut.' },
  headers_too_large: { status: 431, text: 'Die Kopfzeilen dieser Anfrage sind zu lang.' },
  key_tampered: { status: 500, text: 'Die gespeicherten Schlüssel wurden verändert und passen nicht mehr zusammen.' },
  internal: { status: 500, text: SERVER_TROUBLE },
  unavailable: { status: 503, text: SERVER_TROUBLE },
  storage_full: { status: 507, text: 'Der Speicherplatz dieses Events ist voll' },
  disk_full: {
    status: 507,
    text: 'Der Server hat keinen freien Speicherplatz mehr. Es ist nichts verloren; bitte versuchen Sie es später erneut.',
  },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errors;

export interface ErrorBody {
  error: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  second_factor?: FactorAsked;
  /** Set for `gallery_closed`: the time of the automatic reveal, and in lists the number of photos that wait for it. */
  opens_at?: string | null;
  count?: number;
}
