import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { migrationsOf } from '../migrate.ts';
import { RELEASED } from './released.ts';
import { statementsOf } from './testing.ts';

it.each(['sqlite', 'postgres'] as const)(
  'on %s each migration does what it did when it was released: another schema is another migration',
  async (engine) => {
    const names = Object.keys(migrationsOf(engine));
    expect(Object.keys(RELEASED)).toEqual(names);
    for (const name of names) {
      const hash = createHash('sha256')
        .update(await statementsOf(engine, name))
        .digest('hex');
      expect([name, hash]).toEqual([name, RELEASED[name]?.[engine]]);
    }
  },
);
