import { describe, expect, it } from 'vitest';
import { shell } from '../texts/guest/shell.ts';
import { ApiError, messageOf } from './client.ts';

describe('the sentence for what failed', () => {
  it('is that of the pages’ own errors, and none of the browser’s, which are English', () => {
    expect(messageOf(new ApiError(409, 'event_changed', 'Dieses Event wurde inzwischen geändert.'))).toMatch(/^Dieses Event/);
    expect(messageOf(new Error('Bitte noch einmal.'))).toBe('Bitte noch einmal.');
    for (const error of [
      new DOMException('Permission denied', 'NotAllowedError'),
      new TypeError('Failed to fetch'),
      new ApiError(502, 'not_ours', ''),
      null,
      undefined,
    ]) {
      expect(messageOf(error)).toBe(shell.unknown);
      expect(messageOf(error, 'Nichts da.')).toBe('Nichts da.');
    }
  });
});
