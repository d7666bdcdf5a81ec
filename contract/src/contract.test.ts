import { HOUR } from './constants.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call } from './call.ts';
import { addDays, berlinDay, berlinInstant, endOfBerlinDay, isDay, startOfBerlinDay } from './berlin.ts';
import { contract } from './contract.ts';
import { EventForm } from './event-form.ts';
import { errors } from './errors.ts';
import { cleanEventCode, isEventCode } from './event-code.ts';
import { deletionDay, eventStatus, isJoinable, latestPurgeDue, purgeDue } from './event-status.ts';
import { isPage } from './pages.ts';

describe('the event code', () => {
  it('is at most eight upper-case letters and digits of the typed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const code = cleanEventCode(text);
        expect(code).toMatch(/^[A-Z0-9]{0,8}$/);
        expect(cleanEventCode(code)).toBe(code);
      }),
    );
  });

  it('needs exactly eight', () => {
    expect(['ABCDEFG', 'ABCDEFGH', 'ABCDEFGHI', 'abcdefgh', 'ABCD-FGH'].map(isEventCode)).toEqual([false, true, false, false, false]);
  });

  it('takes no letter for another: ß and ı are no ASCII letters', () => {
    expect(cleanEventCode('aßıİ1')).toBe('A1');
  });
});

describe('days in Berlin', () => {
  it.each([
    ['UTC', 12],
    ['Europe/Berlin', 14],
    ['America/New_York', 8],
  ])('and their nights of the clock are the same in a process of %s', (zone, noon) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      expect(new Date('2027-07-01T12:00:00Z').getHours()).toBe(noon);
      const at = (instant: number): string => new Date(instant).toISOString().slice(0, 16);
      expect(['2027-03-28T02:30', '2027-10-31T01:59', '2027-10-31T03:00'].map((local) => at(berlinInstant(local)))).toEqual([
        '2027-03-28T01:30',
        '2027-10-30T23:59',
        '2027-10-31T02:00',
      ]);
      const lastDays = ['2027-02-25', '2027-02-26', '2027-09-30', '2027-10-01'];
      expect(lastDays.map((end_date) => at(purgeDue({ end_date })))).toEqual([
        '2027-03-27T23:00',
        '2027-03-28T22:00',
        '2027-10-30T22:00',
        '2027-10-31T23:00',
      ]);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  it('begin at 22:00 or 23:00 UTC by summer time', () => {
    expect(new Date(startOfBerlinDay('2026-05-17')).toISOString()).toBe('2026-05-16T22:00:00.000Z');
    expect(new Date(startOfBerlinDay('2026-12-17')).toISOString()).toBe('2026-12-16T23:00:00.000Z');
  });

  it('last 23 and 25 hours when the clocks change', () => {
    expect((endOfBerlinDay('2026-03-29') - startOfBerlinDay('2026-03-29')) / HOUR).toBe(23);
    expect((endOfBerlinDay('2026-10-25') - startOfBerlinDay('2026-10-25')) / HOUR).toBe(25);
  });

  it('have times that do not depend on who reads them, in summer and winter', () => {
    expect(new Date(berlinInstant('2026-05-17T21:00')).toISOString()).toBe('2026-05-17T19:00:00.000Z');
    expect(new Date(berlinInstant('2026-12-17T21:30')).toISOString()).toBe('2026-12-17T20:30:00.000Z');
    expect(berlinInstant('2026-05-17')).toBeNaN();
  });

  it('hold each of their instants', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), (instant) => {
        const day = berlinDay(instant);
        expect(startOfBerlinDay(day)).toBeLessThanOrEqual(instant);
        expect(endOfBerlinDay(day)).toBeGreaterThan(instant);
      }),
    );
  });

  it('are real days of the calendar', () => {
    expect(['2026-02-28', '2026-02-29', '2028-02-29', '2026-13-01', '2026-1-1', ''].map(isDay)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  });
});

describe('the status of an event', () => {
  const event = { start_date: '2026-05-17', end_date: '2026-05-18', is_active: false };
  const at = (iso: string) => Date.parse(iso);

  it('is green from two days before to thirty days after, in Berlin', () => {
    expect(eventStatus(event, at('2026-05-14T21:59:59Z')).colour).toBe('yellow');
    expect(eventStatus(event, at('2026-05-14T22:00:00Z')).colour).toBe('green');
    expect(eventStatus(event, at('2026-06-17T21:59:59Z')).colour).toBe('green');
    expect(eventStatus(event, at('2026-06-17T22:00:00Z'))).toEqual({ label: 'inaktiv', colour: 'yellow' });
  });

  it('is blue while the flag is set, on any date, and never after a purge', () => {
    const flagged = { ...event, is_active: true };
    expect(eventStatus(flagged, at('2020-01-01T00:00:00Z'))).toEqual({ label: 'aktiv', colour: 'blue' });
    expect(isJoinable({ ...flagged, purged_at: '2026-06-18T00:00:00Z' }, at('2026-05-17T00:00:00Z'))).toBe(false);
  });

  it('lets the photos go with the end of its window', () => {
    expect(new Date(purgeDue(event)).toISOString()).toBe('2026-06-17T22:00:00.000Z');
    expect(deletionDay(event)).toBe('2026-06-17');
  });

  // The deadlines lie in summer, in winter, and just after the nights on which the clocks change.
  it.each(['2026-05-17', '2026-12-01', '2026-02-26', '2026-02-27', '2026-09-24', '2026-09-25'])(
    'purges an event that ended on %s from the same instant, asked either way',
    (end_date) => {
      const due = purgeDue({ end_date });
      expect(latestPurgeDue(due)).toBe(end_date);
      expect(latestPurgeDue(due - 1) < end_date).toBe(true);
    },
  );
});

describe('the event form', () => {
  const form = { title: 'Fest', start_date: '2026-05-17', end_date: '2026-05-17' };
  const mistakes = (input: object): Record<string, string> => {
    const result = EventForm.safeParse({ ...form, ...input });
    return Object.fromEntries((result.error?.issues ?? []).map((issue) => [String(issue.path[0]), issue.message]));
  };

  it('has upload and slideshow on and all else off where nothing is said', () => {
    expect(EventForm.parse(form)).toMatchObject({
      is_active: false,
      with_user_upload: true,
      with_slideshow: true,
      with_fotobox: false,
      with_videos: false,
      with_nsfw_check: false,
      with_random_slideshow: false,
      with_upload_password: false,
      storage_limit: null,
      subtitle: '',
    });
  });

  it.each(['9999-12-31', '3000-01-01', '1899-12-31', '0000-01-01'])('takes no day that only stands for one: %s', (day) => {
    expect(mistakes({ start_date: day, end_date: day })).toHaveProperty('start_date', 'Bitte geben Sie ein gültiges Datum ein.');
  });

  it('keeps texts as they are seen', () => {
    const typed = { title: ' Jo\u0308rg\u0000 \u202a& Mia\u202c\ufeff', subtitle: '\u202eab\u2066' };
    expect(EventForm.parse({ ...form, ...typed })).toMatchObject({ title: 'Jörg & Mia', subtitle: 'ab' });
  });

  it.each([
    ['anna+fest@example.org', 'anna+fest@example.org'],
    [' anna@example.org\n', 'anna@example.org'],
    ['\u200eanna@exam\u00adple.org\u200b', 'anna@example.org'],
    ['anna@müller.de', 'anna@xn--mller-kva.de'],
    ['anna@Mu\u0308ller.de', 'anna@xn--mller-kva.de'],
    ['anna@straße.example', 'anna@xn--strae-oqa.example'],
  ])('takes a host’s address as it was meant: %j', (email, kept) => {
    expect(EventForm.parse({ ...form, host: { email } }).host).toEqual({ email: kept, name: '' });
  });

  it.each([
    '',
    '@müller.de',
    'müller@example.org',
    'a@mü ller.de',
    'a@müller.de/x',
    'a@müller.de\r\nBcc: b@example.org',
    'a@b.de,c@müller.de',
  ])('takes no other for a host’s address: %j', (email) =>
    expect(mistakes({ host: { email } })).toEqual({ host: 'Bitte geben Sie eine gültige E-Mail-Adresse an.' }),
  );

  it('drops what follows T in dates', () => {
    expect(EventForm.parse({ ...form, start_date: '2026-05-17T22:00:00Z' }).start_date).toBe('2026-05-17');
  });

  it('says in German what is missing or wrong, field by field', () => {
    expect(mistakes({ title: ' ', start_date: '', end_date: undefined })).toEqual({
      title: 'Bitte geben Sie einen Titel ein.',
      start_date: 'Bitte geben Sie ein Startdatum ein.',
      end_date: 'Bitte geben Sie ein Enddatum ein.',
    });
    expect(mistakes({ end_date: '2026-05-16' })).toEqual({ end_date: 'Enddatum muss nach dem Startdatum liegen' });
    expect(mistakes({ storage_limit: -1 })).toEqual({ storage_limit: 'Bitte geben Sie eine Zahl größer als 0 ein.' });
    expect(mistakes({ start_date: '2026-02-30' })).toHaveProperty('start_date', 'Bitte geben Sie ein gültiges Datum ein.');
  });

  it('wants a password where its switch is on, and two different ones', () => {
    expect(mistakes({ with_upload_password: true })).toHaveProperty('user_upload_password');
    expect(mistakes({ with_fotobox: true, fotobox_upload_password: 'abc' })).toHaveProperty('fotobox_upload_password');
    expect(
      mistakes({ with_upload_password: true, user_upload_password: 'gleich', with_fotobox: true, fotobox_upload_password: 'gleich' }),
    ).toEqual({ fotobox_upload_password: 'Das Fotobox-Passwort muss sich vom Upload-Passwort unterscheiden.' });
  });
});

describe('the contract', () => {
  it('takes no NUL in what a list is searched by: PostgreSQL refuses it', () => {
    expect(contract['GET /admin/outbox'].query.parse({ lane: 'mail\0' })).toMatchObject({ lane: 'mail' });
  });

  const calls = Object.entries(contract) as [string, Call][];

  it.each(calls)('%s names only errors of the list, and how it answers a missing login', (name, call) => {
    for (const code of call.errors) expect(errors).toHaveProperty(code);
    if (['host', 'slideshow', 'admin'].includes(call.access)) expect(call.errors).toContain('login_required');
    if (!/^(GET|HEAD|OPTIONS) /.test(name)) expect(call.errors).toContain('foreign_origin');
    if (call.body) expect(call.errors).toEqual(expect.arrayContaining(['invalid_input', 'too_large']));
  });

  it('speaks German in every error but the one that the specification gives in English', () => {
    const english = Object.entries(errors).filter(([, { text }]) => /\b(the|is|not|invalid|error|credentials)\b/i.test(text));
    expect(english.map(([code]) => code)).toEqual(['invalid_credentials']);
  });

  it('says the same in every answer of trouble on our side', () => {
    const texts = [errors.internal, errors.unavailable].map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(['Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.']));
  });
});

describe('pages', () => {
  it('are known with their parameters, and nothing else is one', () => {
    expect(['/', '/join', '/event', '/event/', '/event/ABCDEFGH', '/manage', '/admin/x/y', '/auth/admin'].every(isPage)).toBe(true);
    expect(['/nix', '/event/a/b', '/api/site', '/gallery', '/adminx'].some(isPage)).toBe(false);
  });
});
