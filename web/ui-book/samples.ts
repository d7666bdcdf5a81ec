import type { AuditEntry } from '@feierbild/contract/calls/admins.ts';
import type { ImportedRow } from '@feierbild/contract/event-table-schemas.ts';
import type { Report } from '@feierbild/contract/calls/reports.ts';
import type { Today } from '@feierbild/contract/calls/today.ts';
import type { AdminEvent, HostEvent, Photo } from '@feierbild/contract/entities.ts';
import type { Site } from '../src/lib/use-site.ts';
import { createItem, type Item } from '../src/pages/event/item.ts';

/** The fixed date of all states, ms since 1970. */
export const NOW = Date.parse('2026-05-20T10:00:00Z');
const GB = 1_000_000_000;

export const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger';
export const LONG_NAME = `Maximiliane-Charlotte von ${LONG_WORD}`;
/** A title of the maximum length. */
export const LONG_TITLE = `Goldene Hochzeit von Hannelore und Karl-Heinz mit allen Kindern, Enkeln und Urenkeln im ${LONG_WORD}-Saal `
  .repeat(3)
  .slice(0, 320);
export const LONG_TEXT =
  'Zwei Zeilen reichen hier nicht: Der Text ist so lang, wie ihn jemand schreibt, der in Ruhe erklärt, was er meint, und dem immer noch etwas einfällt, bevor er zum Ende kommt.';

export const SITE: Site = {
  business: {
    identity: { brand: 'Lichterfest Eventverleih', owner: 'Frieda Beispiel', street: 'Beispielweg 8', zip: '12345', city: 'Musterstadt' },
    contact: {
      phone: { e164: '+493023125042', shown: '030 23125 042' },
      whatsapp: '+4915228817386',
      whatsappShown: '0152 28817386',
      email: 'hallo@lichterfest.example',
      hours: 'Montag bis Freitag, 9 bis 18 Uhr',
    },
    tax: { smallBusiness: true },
    privacy: {
      dataProtectionAuthority: 'die Datenschutzaufsicht des Bundeslandes',
      hosting: { name: 'Beispiel-Rechenzentrum', address: 'Serverstraße 1, 12345 Musterstadt', country: 'Deutschland' },
    },
    disputes: {
      dsaContact: { email: 'hallo@lichterfest.example', languages: 'Deutsch und Englisch' },
      reportEmail: 'hallo@lichterfest.example',
    },
    accessibility: { microEnterprise: true, contact: 'hallo@lichterfest.example' },
    map: { lat: 51.163, lon: 10.448, zoom: 6 },
  },
  demo: { code: 'DEMO2026', password: 'lampion' },
  origin: null,
  today: '2026-05-20',
};

/** Draws a picture as a data URL: a sun over hills in one hue. */
export function picture(hue: number, width = 400, height = 300): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 4 3" preserveAspectRatio="none"><rect width="4" height="3" fill="hsl(${hue} 55% 72%)"/><circle cx="2.8" cy="1" r=".5" fill="hsl(${hue + 30} 90% 88%)"/><path d="M0 2q1-1 2 0t2-.2V3H0z" fill="hsl(${hue} 40% 38%)"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export function samplePhoto(n: number, change: Partial<Photo> = {}): Photo {
  const src = picture(n * 47);
  return {
    id: `foto-${n}`,
    thumbnail_url: src,
    preview_url: src,
    original_url: src,
    width: 400,
    height: 300,
    created_at: '2026-05-17T19:04:00.000Z',
    taken_at: '2026-05-17T21:03:00',
    filename: `IMG_${1000 + n}.jpg`,
    size: 4_700_000,
    slideshow: true,
    state: 'stored',
    device: { name: 'Anna' },
    ...change,
  };
}

const item: Item = { ...createItem(new File([], 'IMG_2001.jpg'), ''), submitted: true, noted: true };

export function sampleItem(id: string, change: Partial<Item> = {}): Item {
  return { ...item, id, ...change };
}

interface Change extends Partial<AdminEvent & HostEvent> {
  count?: number;
  bytes?: number;
}

/** Makes an event of the weekend before, with all fields for hosts and administrators. */
export function sampleEvent({ count = 1234, bytes = 3.2 * GB, ...change }: Change = {}): AdminEvent & HostEvent {
  return {
    id: change.code ?? 'event',
    code: 'K7MQ2XWA',
    title: 'Lena & Jonas',
    subtitle: 'Unsere Hochzeit am See',
    start_date: '2026-05-16',
    end_date: '2026-05-17',
    is_active: false,
    with_nsfw_check: false,
    with_random_slideshow: false,
    with_fotobox: false,
    with_user_upload: true,
    with_slideshow: true,
    with_slideshow_names: true,
    with_videos: false,
    with_upload_password: false,
    with_release: false,
    waiting: 0,
    release_minutes: null,
    receipt_link: '/loeschprotokoll/K7MQ2XWA#AAAAAAAAAAAAAAAAAAAAAA',
    storage_limit: 5,
    storage: { total: bytes / GB, photos: { count }, videos: { count: 0 } },
    storage_stats: { total_size: bytes },
    device_count: 42,
    zip_status: 'idle',
    zip_progress: 0,
    deletion_date: '2026-06-16',
    purged_at: null,
    user_upload_password: null,
    fotobox_upload_password: null,
    zip_downloaded_at: null,
    unsaved: true,
    password_reset_at: null,
    previews: { coming: 0, left: 0 },
    look: { palette: null, welcome: '', title_picture: null },
    link_preview: 'event',
    phone_language: false,
    user: { username: 'K7MQ2XWA', first_login_at: null, password_set_at: '2026-05-01T09:00:00.000Z' },
    host: null,
    customer: '',
    order_number: '',
    note: '',
    invited_until: null,
    invitation_state: null,
    created_at: '2026-04-02T08:00:00.000Z',
    version: 1,
    ...change,
  };
}

export const NOTHING_YET: Change = { count: 0, bytes: 0, device_count: 0 };
export const HUGE: Change = { count: 1_234_567, bytes: 98_765 * GB, device_count: 12_345, storage_limit: 'unlimited' };

export function sampleReport(change: Partial<Report> = {}): Report {
  return {
    id: 'meldung',
    received_at: '2026-05-18T07:12:00.000Z',
    event: 'K7MQ2XWA',
    photo: 'Das Gruppenbild vor der Scheune, gegen 21 Uhr',
    reason: 'Mein Kind ist darauf zu sehen.',
    name: 'Petra Muster',
    email: 'petra@muster.example',
    settled_at: null,
    settled_by: null,
    ...change,
  };
}

export function sampleEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'eintrag',
    at: '2026-05-18T07:12:00.000Z',
    actor: 'admin:frieda',
    action: 'event.created',
    event_code: 'K7MQ2XWA',
    address: '203.0.113.7',
    account: null,
    ...change,
  };
}

export function sampleRow(change: Partial<ImportedRow> = {}): ImportedRow {
  return {
    line: 2,
    title: 'Lena & Jonas',
    start_date: '2026-06-12',
    end_date: '2026-06-13',
    template: 'Standard',
    customer: 'Familie Öztürk',
    order_number: 'R-2026/117',
    host_email: 'lena@example.org',
    mistakes: [],
    known: null,
    key: `row ${change.line ?? 2}`,
    event: {},
    ...change,
  };
}

const NAMED = {
  id: '1',
  code: 'K7MQ2XWA',
  title: 'Lena & Jonas',
  start_date: '2026-05-20',
  end_date: '2026-05-20',
  photos: 240,
  videos: 3,
};
export const TODAY: Today = {
  day: '2026-05-20',
  since: '2026-05-19T23:00:00.000Z',
  alone: false,
  running: [
    {
      ...NAMED,
      host: 'there',
      invitation_state: { state: 'accepted', answer: null },
      hours: [0, 0, 0, 4, 12, 30, 44, 18, 25, 60, 31, 16],
      last_photo_at: '2026-05-20T09:58:00.000Z',
      walls: 2,
      pages: 1,
      booth_at: '2026-05-20T09:40:00.000Z',
      locked_out_at: null,
    },
    {
      ...NAMED,
      id: '2',
      title: LONG_TITLE,
      photos: 0,
      videos: 0,
      host: 'ready',
      invitation_state: null,
      hours: Array.from({ length: 12 }, () => 0),
      last_photo_at: null,
      walls: 0,
      pages: 0,
      booth_at: null,
      locked_out_at: null,
    },
  ],
  absent: [
    { ...NAMED, id: '2', title: LONG_TITLE, host: 'ready', invitation_state: null },
    { ...NAMED, id: '3', title: 'Sommerfest', host: 'invited', invitation_state: { state: 'undelivered', answer: '550 5.1.1 unbekannt' } },
    { ...NAMED, id: '4', title: 'Abiball', host: 'none', invitation_state: null },
  ],
  due: [
    { ...NAMED, deletion_date: '2026-05-22', zip_downloaded_at: null, unsaved: true },
    { ...NAMED, id: '2', title: LONG_TITLE, deletion_date: '2026-05-25', zip_downloaded_at: '2026-05-01T08:00:00.000Z', unsaved: false },
  ],
  more: { running: true, absent: false, due: false },
};
