import type { ExpressionBuilder } from 'kysely';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';

/** Adds a photo to its event's counters, or subtracts it. */
export function counters(
  row: ExpressionBuilder<Database, 'events'>,
  { state, codecs, size }: Pick<PhotoRow, 'state' | 'codecs' | 'size'>,
  sign: '+' | '-',
) {
  if (!STATE_RULES[state].original) return { announced_count: row('announced_count', sign, 1) };
  const counter = codecs === null ? 'photo_count' : 'video_count';
  return { used_bytes: row('used_bytes', sign, size), [counter]: row(counter, sign, 1) };
}
