import { expect, it } from 'vitest';
import { stampOf } from './paper-sheet.tsx';

it('the stamp of a paper has the day in Berlin, also where the paper is made soon after midnight', () => {
  const paper = {
    title: 'AVV',
    source: '',
    sections: [],
    missing: 0,
    number: null,
    lawyer: null,
    hash: '0123456789abcdef',
    release: '1.0.0',
  };
  expect(stampOf({ ...paper, made_at: '2027-06-30T22:30:00.000Z' })).toContain('· 1. Juli 2027 ·');
});
