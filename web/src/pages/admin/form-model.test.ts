import { PLAIN_EVENT } from '@feierbild/contract/event-templates.ts';
import { describe, expect, it } from 'vitest';
import { bodyOf, checkForm, checkTypedCode, doubtOf, EMPTY_FORM, formOf, withTemplate } from './form-model.ts';

const filled = { ...EMPTY_FORM, title: 'Fest', start_date: '2026-05-17', end_date: '2026-05-17' };

describe('the event form', () => {
  it('starts with upload and slideshow on and every other switch off', () => {
    const on = Object.entries(EMPTY_FORM).filter(([, value]) => value === true);
    expect(on.map(([name]) => name).toSorted()).toEqual(['with_slideshow', 'with_user_upload']);
  });

  it('takes from a template what it holds, and leaves what was typed', () => {
    const typed = { ...filled, subtitle: 'Im Garten', host_email: 'lena@example.org', with_fotobox: true, storage_limit: '1' };
    const template = { ...PLAIN_EVENT, name: 'Basic', with_videos: true, storage_limit: 2.5 };
    expect(withTemplate(typed, template)).toEqual({ ...typed, with_fotobox: false, with_videos: true, storage_limit: '2,5' });
    expect(withTemplate(typed, { ...template, subtitle: 'Schön, dass ihr da seid!', storage_limit: null })).toMatchObject({
      subtitle: 'Schön, dass ihr da seid!',
      storage_limit: '',
    });
  });

  it('takes one-day events and refuses an end before the start', () => {
    expect(checkForm(filled)).toEqual({});
    expect(checkForm({ ...filled, end_date: '2026-05-16' })).toEqual({ end_date: 'Enddatum muss nach dem Startdatum liegen' });
  });

  it('asks for title and dates', () => {
    expect(Object.keys(checkForm(EMPTY_FORM)).toSorted()).toEqual(['end_date', 'start_date', 'title']);
  });

  it('sends an empty limit as undefined and a German number as a number', () => {
    expect(bodyOf(filled).storage_limit).toBeUndefined();
    expect(bodyOf({ ...filled, storage_limit: '2,5' }).storage_limit).toBe(2.5);
  });

  it.each([
    ['1.000', 1000],
    ['1.234.567,5', 1_234_567.5],
    ['12.5', 12.5],
    ['0.125', 0.125],
    ['2,5', 2.5],
  ])('reads %s as %d GB', (typed, limit) => {
    expect(checkForm({ ...filled, storage_limit: typed })).toEqual({});
    expect(bodyOf({ ...filled, storage_limit: typed }).storage_limit).toBe(limit);
  });

  it.each(['1.00,5', '1,000.5', '1.000.00', 'viel', '-1'])('takes %s for no number', (typed) => {
    expect(Object.keys(checkForm({ ...filled, storage_limit: typed }))).toEqual(['storage_limit']);
  });

  it.each(['0202-05-17', '20266-05-17', '2026-02-30'])('takes %s for no day', (day) => {
    expect(Object.keys(checkForm({ ...filled, start_date: day, end_date: day }))).toEqual(['start_date', 'end_date']);
  });

  it('drops the time of dates', () => {
    expect(formOf({ ...filled, storage_limit: 'unlimited', start_date: '2026-05-17T22:00:00Z' } as never).start_date).toBe('2026-05-17');
  });
});

describe('unusual dates', () => {
  const TODAY = '2026-05-18';
  const past = { ...filled, start_date: '2026-05-10', end_date: '2026-05-10' };
  const far = { ...filled, start_date: '2926-06-01', end_date: '2926-06-01' };

  it.each([
    ['over already', past, EMPTY_FORM, 0, 'Mit diesem Enddatum ist das Event schon vorbei.'],
    ['centuries away', far, EMPTY_FORM, 0, 'Mit diesem Startdatum beginnt das Event erst in 900 Jahren.'],
    [
      'a year long',
      { ...filled, start_date: '2026-06-01', end_date: '2027-06-01' },
      EMPTY_FORM,
      0,
      'Mit diesem Enddatum dauert das Event 366 Tage.',
    ],
    ['moved into the past', past, filled, 5, 'Mit diesem Enddatum ist das Event schon vorbei.'],
    ['long over, without photos', { ...past, start_date: '2025-01-01', end_date: '2025-01-01' }, filled, 0, expect.any(String)],
    ['long over, with photos, about which the server asks', { ...past, start_date: '2025-01-01', end_date: '2025-01-01' }, filled, 5, null],
    ['as they were', { ...past, title: 'Neuer Titel' }, past, 5, null],
    ['soon', { ...filled, end_date: '2026-05-18' }, EMPTY_FORM, 0, null],
    ['not typed yet', EMPTY_FORM, EMPTY_FORM, 0, null],
  ])('are asked about where they are unusual: %s', (_, form, stored, photos, question) => {
    expect(doubtOf(form, stored, photos, TODAY)).toEqual(question);
  });
});

describe('the typed code', () => {
  it('must be exact, and says so from eight characters on', () => {
    expect(checkTypedCode('ABCDEFG', 'ABCDEFGH')).toEqual({ matches: false, mismatch: false });
    expect(checkTypedCode('abcdefgh', 'ABCDEFGH')).toEqual({ matches: false, mismatch: true });
    expect(checkTypedCode('ABCDEFGHI', 'ABCDEFGH')).toEqual({ matches: false, mismatch: true });
    expect(checkTypedCode(' ABCDEFGH ', 'ABCDEFGH')).toEqual({ matches: true, mismatch: false });
  });
});
