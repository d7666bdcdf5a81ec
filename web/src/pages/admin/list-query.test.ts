import { describe, expect, it } from 'vitest';
import { EVERYTHING, nextOrder, readQuery, writeQuery, type ListQuery } from './list-query.ts';

describe("the events' list", () => {
  it('goes through both directions of a column and back to the order as it was', () => {
    const first = nextOrder(null, 'speicher');
    const second = nextOrder(first, 'speicher');
    expect([first?.direction, second?.direction, nextOrder(second, 'speicher')]).toEqual(['descending', 'ascending', null]);
    expect(nextOrder(first, 'titel')).toEqual({ by: 'titel', direction: 'ascending' });
  });

  it('lives in the address, where nonsense counts as not said', () => {
    const query: ListQuery = { search: 'a & b', status: 'geloescht', due: 'eilig', order: { by: 'speicher', direction: 'descending' } };
    expect(readQuery(new URLSearchParams(writeQuery(query)))).toEqual(query);
    expect(writeQuery(EVERYTHING)).toEqual({});
    expect(readQuery(new URLSearchParams('status=toString&faellig=valueOf&sortierung=constructor'))).toEqual(EVERYTHING);
  });
});
