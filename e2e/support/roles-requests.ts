import { dayFromToday, OPEN_GALLERY, type Client, type EventUnderTest } from './api.ts';
import type { Role } from './roles-matrix.ts';
import { ADMIN } from './server.ts';

/** The things that calls name, and the clients that make them. */
export interface Party {
  event: EventUnderTest;
  photo: string;
  link: string;
  /** Tokens of the links to the gallery and for the helper. */
  invited: { gallery: string; helper: string };
  /** Token of the program to which the host has given access. */
  program: string;
  /** Key of the guest's upload, of which no byte has arrived. */
  upload: string;
  selection: string;
  otherAdmin: string;
  accounts: Record<'admin' | 'assistant', { username: string; password: string }>;
  devices: { guest: string; other: string };
  clients: Record<Role, Client>;
}

/** Returns a body that is right for its call, whoever the sender is. */
export function bodyOf(name: string, party: Party): unknown {
  const today = dayFromToday(0);
  const bodies: Record<string, unknown> = {
    'POST /auth/user/login': { username: party.event.host.username, password: party.event.host.password },
    'POST /auth/admin/login': ADMIN,
    'POST /auth/gallery/login': { code: party.event.code, token: party.invited.gallery },
    'POST /auth/helper/login': { code: party.event.code, token: party.invited.helper },
    'PUT /api/events/:ref/gallery': OPEN_GALLERY,
    'PUT /api/events/:ref/wall': { version: -1, curtain: true },
    'POST /api/events/:ref/wall/link': { value: true },
    'POST /auth/wall/login': { code: party.event.code, token: 'A'.repeat(22) },
    'PUT /api/events/:ref/release': { value: false },
    'PUT /api/photos/:id/heart': { value: true },
    'POST /auth/logout': {},
    'POST /auth/invitation': { code: party.event.code, token: 'A'.repeat(22) },
    'POST /auth/invitation/accept': { code: party.event.code, token: 'A'.repeat(22), password: 'ein langes Passwort' },
    'POST /admin/mail/test': { to: 'niemand@beispiel.example' },
    'PUT /admin/password': { current_password: 'falsch', new_password: 'noch-ein-langes-Kennwort' },
    'POST /admin/factors/totp': { password: 'falsch' },
    'PUT /admin/factors/totp': { code: '000000' },
    'POST /admin/factors/passkeys/options': { password: 'falsch' },
    'POST /admin/factors/:id/remove': { password: 'falsch' },
    'POST /admin/admins': { username: `neu-${Math.random()}` },
    'POST /admin/create_event': { title: 'Neu', start_date: today, end_date: today },
    'PUT /admin/events/:id': { title: party.event.title, start_date: today, end_date: today },
    'POST /admin/events/change': { events: [{ id: party.event.id, version: 0 }], change: { open: true } },
    'POST /admin/events/:id/user': { username: party.event.code },
    'PUT /api/events/:ref/nsfw_check': { value: true },
    'PUT /api/events/:ref/random_slideshow': { value: true },
    'PUT /api/events/:ref/slideshow_names': { value: true },
    'POST /api/events/:ref/release/all': { until: 0 },
    'PUT /api/photos/:id/slideshow': { value: true },
    'POST /api/events/:ref/selections': { photos: [party.photo] },
    'POST /api/events/:ref/known': { fingerprints: [] },
    'POST /api/reports': { event: 'Fest', photo: 'Torte', reason: 'Bitte nicht.' },
    'PUT /admin/reports/:id': { settled: true },
    'POST /admin/webhooks': { name: 'Haken', url: 'http://127.0.0.1/', topics: ['event.created'] },
    'PUT /admin/webhooks/:id': { name: 'Haken', url: 'http://127.0.0.1/', topics: ['event.created'] },
    'PUT /api/events/:ref/look': { palette: null, welcome: 'Schön, dass ihr da seid' },
    'PUT /api/events/:ref/phone-language': { value: true },
    'PUT /api/events/:ref/link-preview': { value: 'brand' },
    'PUT /api/events/:ref/title-picture': { photo: party.photo },
    'POST /admin/papers/issue': { hash: '0'.repeat(16) },
    'POST /admin/disclosure': { ask: party.photo },
    'POST /admin/disclosure/erase': { ask: party.photo },
    'PUT /admin/settings/:section': { version: 0, value: {} },
    'POST /admin/settings/:section/back': { version: 1 },
    'POST /admin/tokens': { name: 'Formular', scopes: ['events:read'] },
  };
  return bodies[name];
}

/** Returns the headers of an upload of three bytes, at offset 0. */
export function tusHeaders(code: string): Record<string, string> {
  return {
    'tus-resumable': '1.0.0',
    'upload-length': '3',
    'upload-metadata': `eventCode ${Buffer.from(code).toString('base64')}`,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
}
