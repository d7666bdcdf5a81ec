import { describe, expect, it } from 'vitest';
import { headersOf } from './headers.ts';

describe('the headers of every answer', () => {
  it('ask for nothing over http that browsers then only complain about', () => {
    const names = ['cross-origin-opener-policy', 'strict-transport-security'];
    expect(Object.keys(headersOf('1', { https: false })).filter((name) => names.includes(name))).toEqual([]);
    expect(Object.keys(headersOf('1', { https: true })).filter((name) => names.includes(name))).toEqual(names);
  });
});
