import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, nextOrder, readQuery, selectEvents, writeQuery, type ListQuery } from './list-query.ts';

const NOW = Date.parse('2026-05-17T12:00:00Z');

function event(title: string, start_date: string, rest: Partial<AdminEvent> = {}): AdminEvent {
  const dates = { start_date, end_date: start_date, deletion_date: start_date };
  const usage = { storage_stats: { total_size: 0 }, user: null, purged_at: null, is_active: false };
  return { title, subtitle: '', code: 'AAAA2222', ...dates, ...usage, ...rest } as AdminEvent;
}

const events = [
  event('Ärztekongress', '2026-05-17', { code: 'KLMN5678', user: { username: 'KLMN5678' } }),
  event('Zelten 10', '2026-09-01', { storage_stats: { total_size: 9 } }),
  event('Zelten 9', '2026-08-01', { storage_stats: { total_size: 5 }, subtitle: 'am See' }),
  event('Fest von früher', '2026-01-01', { purged_at: '2026-02-01T00:00:00Z' }),
];
const titles = (query: Partial<ListQuery>) => selectEvents(events, { ...EVERYTHING, ...query }, NOW).map(({ title }) => title);

describe("the events' list", () => {
  it('finds every typed word in title, subtitle, code and host, in any case', () => {
    expect(titles({ search: '  ZELTEN see ' })).toEqual(['Zelten 9']);
    expect(titles({ search: 'ärzte' })).toEqual(['Ärztekongress']);
    expect(titles({ search: 'klmn 5678' })).toEqual(['Ärztekongress']);
    expect(titles({ search: 'nirgends' })).toEqual([]);
  });

  it('distinguishes what is active, inactive and deleted', () => {
    expect(titles({ status: 'aktiv' })).toEqual(['Ärztekongress']);
    expect(titles({ status: 'inaktiv' })).toEqual(['Zelten 10', 'Zelten 9']);
    expect(titles({ status: 'geloescht' })).toEqual(['Fest von früher']);
  });

  it('sorts titles as Germans do, with numbers by their value', () => {
    expect(titles({ order: { by: 'titel', direction: 'ascending' } })).toEqual([
      'Ärztekongress',
      'Fest von früher',
      'Zelten 9',
      'Zelten 10',
    ]);
  });

  it('sorts by start, storage and day of deletion, both ways', () => {
    expect(titles({ order: { by: 'beginn', direction: 'descending' } })[0]).toBe('Zelten 10');
    expect(titles({ order: { by: 'speicher', direction: 'descending' } }).slice(0, 2)).toEqual(['Zelten 10', 'Zelten 9']);
    expect(titles({ order: { by: 'loeschung', direction: 'ascending' } })[0]).toBe('Fest von früher');
  });

  it('goes through both directions of a column and back to the order as it was', () => {
    const first = nextOrder(null, 'speicher');
    const second = nextOrder(first, 'speicher');
    expect([first?.direction, second?.direction, nextOrder(second, 'speicher')]).toEqual(['descending', 'ascending', null]);
    expect(nextOrder(first, 'titel')).toEqual({ by: 'titel', direction: 'ascending' });
  });

  it('lives in the address, where nonsense counts as not said', () => {
    const query: ListQuery = { search: 'a & b', status: 'geloescht', order: { by: 'speicher', direction: 'descending' } };
    expect(readQuery(new URLSearchParams(writeQuery(query)))).toEqual(query);
    expect(writeQuery(EVERYTHING)).toEqual({});
    expect(readQuery(new URLSearchParams('status=toString&sortierung=constructor'))).toEqual(EVERYTHING);
  });
});
