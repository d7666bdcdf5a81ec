import { describe, expect, it } from 'vitest';
import { bodyOf, checkForm, checkTypedCode, EMPTY_FORM, formOf } from './form-model.ts';

const filled = { ...EMPTY_FORM, title: 'Fest', start_date: '2026-05-17', end_date: '2026-05-17' };

describe('the event form', () => {
  it('starts with upload and slideshow on and every other switch off', () => {
    const on = Object.entries(EMPTY_FORM).filter(([, value]) => value === true);
    expect(on.map(([name]) => name).toSorted()).toEqual(['with_slideshow', 'with_user_upload']);
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

  it('drops the time of dates', () => {
    expect(formOf({ ...filled, storage_limit: 'unlimited', start_date: '2026-05-17T22:00:00Z' } as never).start_date).toBe('2026-05-17');
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
