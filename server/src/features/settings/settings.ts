import { SETTINGS, type SectionState, type Section, type SettingsOf } from '@feierbild/contract/calls/settings.ts';
import type { Selectable } from 'kysely';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Database } from '../../database/schema.ts';
import { Refusal } from '../../lib/errors.ts';
import { every } from '../../lib/every.ts';
import { germanIssue } from '../../lib/german-issues.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { iso } from '../../lib/clock.ts';

/** Time between two reads of other nodes' changes. */
const POLL_MS = 2000;
/** Most versions of a section that are kept. */
export const VERSIONS_KEPT = 50;

/** Values in force if no stored version can be read: a protection that somebody may have asked for is on. */
const CAREFUL: { [S in Section]?: SettingsOf<S> } = { access: { secondFactor: true } };

export type SettingsFeature = ReturnType<typeof createSettings>;
type Row = Selectable<Database['setting_versions']>;
type Newest = Pick<Row, 'section' | 'version' | 'value'>;

/** The administrator who changes settings. */
interface By {
  username: string;
  address: string;
}

interface Deps extends Pick<Context, 'db' | 'clock' | 'log'> {
  audit: Audit;
  pollMs?: number;
}

/**
 * Settings that operators make in the browser. A section is stored as a whole, with its earlier versions; each node has the current values
 * in memory, and polls for changes by others.
 */
export function createSettings({ db, clock, log, audit, pollMs = POLL_MS }: Deps) {
  const inForce = new Map<Section, { version: number; value: unknown }>();
  const closing = new AbortController();

  /** Parses a stored value; undefined if this release does not understand it. */
  function read(section: Section, value: string | null): unknown {
    if (value === null) return null;
    try {
      return SETTINGS[section].parse(JSON.parse(value));
    } catch {
      return undefined;
    }
  }

  /** Puts a version in force; if this release does not understand it, the value before it stays in force. */
  async function take({ section, version, value }: Newest): Promise<void> {
    // A read may be older than a change by this node.
    const isOld = (name: Section): boolean => version <= (inForce.get(name)?.version ?? 0);
    if (!isSection(section) || isOld(section)) return;
    let understood = read(section, value);
    if (understood === undefined) {
      log.error({ section, version }, 'settings of another release are not understood: what was in force stays so');
      const known = inForce.get(section);
      understood = known ? known.value : await lastUnderstood(section);
      if (isOld(section)) return;
    }
    inForce.set(section, { version, value: understood });
  }

  async function lastUnderstood(section: Section): Promise<unknown> {
    for (const { value } of await rowsOf(section)) {
      const found = read(section, value);
      if (found !== undefined) return found;
    }
    return CAREFUL[section] ?? null;
  }

  /** Puts the newest versions in force. */
  async function load(): Promise<void> {
    const newest = db.kysely.selectFrom('setting_versions').select((of) => ['section', of.fn.max('version').as('version')]);
    const rows = await db.kysely
      .selectFrom('setting_versions as kept')
      .innerJoin(newest.groupBy('section').as('newest'), (join) =>
        join.onRef('newest.section', '=', 'kept.section').onRef('newest.version', '=', 'kept.version'),
      )
      .select(['kept.section', 'kept.version', 'kept.value'])
      .execute();
    for (const row of rows) await take(row);
  }

  /** Reads all kept versions of a section, newest first. */
  const rowsOf = (section: Section): Promise<Row[]> =>
    db.kysely.selectFrom('setting_versions').selectAll().where('section', '=', section).orderBy('version', 'desc').execute();

  async function view(section: Section): Promise<Omit<SectionState, 'fixed'>> {
    const rows = await rowsOf(section);
    if (rows[0]) await take(rows[0]);
    const { version = 0, value = null } = inForce.get(section) ?? {};
    const versions = rows.map(({ changed_at, changed_by, ...row }) => {
      return { version: row.version, at: iso(changed_at), by: changed_by, restored: row.restored };
    });
    return { version, value, versions };
  }

  /** Adds a version after `before`. Throws Refusal settings_changed if that version exists already. */
  async function add(section: Section, before: number, content: Pick<Row, 'value' | 'restored'>, { username, address }: By): Promise<void> {
    const version = before + 1;
    const row = { section, version, ...content, changed_at: clock.now(), changed_by: username };
    const action = content.restored === null ? 'settings.changed' : 'settings.restored';
    try {
      await db.transaction(async (trx) => {
        await trx.insertInto('setting_versions').values(row).execute();
        const until = version - VERSIONS_KEPT;
        await trx.deleteFrom('setting_versions').where('section', '=', section).where('version', '<=', until).execute();
        await audit.record({ actor: `admin:${username}`, action, address }, trx);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new Refusal('settings_changed') : error;
    }
  }

  return {
    /** Returns the value in force of a section; null: nothing is set. */
    get: <S extends Section>(section: S): SettingsOf<S> | null => (inForce.get(section)?.value ?? null) as SettingsOf<S> | null,

    /** Reads the settings in force, and follows their changes. */
    async start(): Promise<void> {
      await load();
      every(pollMs, { log, ending: closing.signal, failed: 'settings could not be read', first: pollMs }, load);
    },

    view,

    /** Returns the ids of the logos in any version: a step back needs them. */
    async logos(): Promise<string[]> {
      const values = (await rowsOf('brand')).map(({ value }) => (value === null ? {} : (JSON.parse(value) as SettingsOf<'brand'>)));
      return values.flatMap(({ logo }) => logo?.id ?? []);
    },

    /** Parses a section as people typed it. Throws Refusal invalid_input with a German sentence for each field, by its path. */
    parse<S extends Section>(section: S, value: unknown): SettingsOf<S> {
      const parsed = SETTINGS[section].safeParse(value, { error: germanIssue });
      if (!parsed.success) throw new Refusal('invalid_input', { fields: fieldsOf(parsed.error.issues) });
      return parsed.data as SettingsOf<S>;
    },

    /** Sets a section as a whole. Throws Refusal settings_changed if `version` is not the last one. */
    async save<S extends Section>(section: S, version: number, value: SettingsOf<S>, by: By): Promise<void> {
      const [last] = await rowsOf(section);
      if ((last?.version ?? 0) !== version) throw new Refusal('settings_changed');
      await add(section, version, { value: JSON.stringify(value), restored: null }, by);
    },

    /** Takes back the last change that was not taken back yet; does nothing if there is none, or its version is not kept any more. */
    async back(section: Section, version: number, by: By): Promise<void> {
      const rows = await rowsOf(section);
      const [last] = rows;
      if ((last?.version ?? 0) !== version) throw new Refusal('settings_changed');
      if (!last || sourceOf(last) === 0) return;
      const target = sourceOf(last) - 1;
      const row = rows.find((one) => one.version === target);
      if (target > 0 && !row) return;
      await add(section, version, { value: row?.value ?? null, restored: row ? sourceOf(row) : 0 }, by);
    },

    close: (): void => closing.abort(),
  };
}

/** Returns the version in which a row's value was typed; 0: nothing was set. */
const sourceOf = ({ version, restored }: Row): number => restored ?? version;

export function isSection(name: string): name is Section {
  return Object.hasOwn(SETTINGS, name);
}

/** Maps issues to German sentences by the path of their field. */
export function fieldsOf(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) fields[path.join('.') || 'value'] ??= message;
  return fields;
}
