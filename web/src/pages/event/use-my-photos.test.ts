import type { Photo } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { merged } from './use-my-photos.ts';

describe('the list of own photos', () => {
  it('has each once, as the newer answer says it, and the newest first', () => {
    const photo = (id: string, state: Photo['state']) => ({ id, state }) as Photo;
    const before = [photo('b', 'announced'), photo('a', 'announced')];
    expect(merged([photo('c', 'stored'), photo('b', 'received')], before)).toEqual([
      photo('c', 'stored'),
      photo('b', 'received'),
      photo('a', 'announced'),
    ]);
  });
});
