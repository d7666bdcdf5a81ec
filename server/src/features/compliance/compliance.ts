import { createHash } from 'node:crypto';
import type { PapersState } from '@feierbild/contract/calls/compliance.ts';
import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import { BACKUPS_KEPT_DAYS, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { Language } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { CheckResult, Paper } from '@feierbild/contract/papers.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Question } from '../health/health.ts';
import { CHECKS, isCheck, keepersOf, PROVEN, servicesOf, type CheckId } from './checks.ts';
import type { Facts, Health, Known } from '../health/facts.ts';
import type { Context } from '../context.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import { loadPapers, say, type Section } from './load-papers.ts';
import { typeset } from './typeset.ts';
import { contactLine, hostingLine, operatorLine, RECORDS_MONTHS } from './vocabulary.ts';
import { iso } from '../../lib/clock.ts';

/** Maximum age of the installation's statements on public pages. */
const SAID_MS = 2000;
/** Length of the hash of the papers' statements, hex digits. */
const HASH_SHOWN = 16;

const TEXTS = loadPapers();
const PAPER_NAMES = Object.keys(PAPERS) as PaperName[];

interface Deps extends Pick<Context, 'clock'> {
  health: Health;
  settings: Pick<SettingsFeature, 'get' | 'view' | 'save'>;
}

export type Compliance = ReturnType<typeof createCompliance>;

/**
 * Creates the data protection papers from the state of the running system. Each sentence depends on checks and is left out if one of them
 * fails.
 */
export function createCompliance({ health, settings, clock }: Deps) {
  /** Returns a function that runs each check at most once. */
  function answersFor(facts: Facts) {
    const answers = new Map<CheckId, Promise<CheckResult>>();
    const ask = async (id: CheckId): Promise<CheckResult> => {
      const { title, ask: question }: Question = CHECKS[id];
      const { severity, found } = await question(facts);
      return { id, title, ok: severity === 'good', found };
    };
    return (id: CheckId): Promise<CheckResult> => {
      const answer = answers.get(id) ?? ask(id);
      answers.set(id, answer);
      return answer;
    };
  }

  async function paper(name: PaperName, facts: Facts, text: Section[] = TEXTS.paper(name)): Promise<Paper> {
    const answer = answersFor(facts);
    const sections = await Promise.all(
      say(text, facts).map(async ({ title, sentences }) => ({
        title: typeset(title),
        sentences: await Promise.all(
          sentences.map(async ({ text: said, source, checks }) => {
            const failed = (await Promise.all(checks.filter(isCheck).map(answer))).filter(({ ok }) => !ok);
            return { text: typeset(said), source: typeset(source), failed };
          }),
        ),
      })),
    );
    const { title, source } = PAPERS[name];
    return {
      title,
      source: typeset(source),
      sections,
      missing: sections.flatMap(({ sentences }) => sentences).filter(({ failed }) => failed.length > 0).length,
      number: null,
      lawyer: facts.form.lawyer ?? null,
      hash: '',
      release: facts.release,
      made_at: iso(clock.now()),
    };
  }

  async function statementsOf(facts: Facts): Promise<{ statements: Record<string, string>; checks: CheckResult[] }> {
    const answer = answersFor(facts);
    // Runs only the checks of this installation's sentences.
    const said = PAPER_NAMES.flatMap((name) => say(TEXTS.paper(name), facts));
    const ids = new Set(said.flatMap(({ sentences }) => sentences.flatMap((sentence) => sentence.checks)));
    const checks: CheckResult[] = [];
    // Runs checks one after the other, as they share the database connections with all requests.
    for (const id of (Object.keys(CHECKS) as CheckId[]).filter((one) => ids.has(one))) checks.push(await answer(id));
    return { statements: statements(facts, checks), checks };
  }

  async function state(facts: Facts): Promise<PapersState> {
    const { statements: now, checks } = await statementsOf(facts);
    const { value, version, versions } = await settings.view('issued');
    const issued = settings.get('issued');
    const last = versions[0];
    return {
      checks,
      hash: hashOf(now),
      issued: value !== null && issued && last ? { number: version, at: last.at, by: last.by, hash: issued.hash } : null,
      changes: issued ? changesBetween(issued.statements, now) : [],
    };
  }

  /** The statements that public pages may make; none before the first checks. */
  let said: NonNullable<PublicSite['said']> = { https: false, eea: false, backups: false };
  let saidAt = -Infinity;

  /** Updates the public pages' statements about this installation, by the cheap checks of the papers. */
  async function lookAtSaid(): Promise<void> {
    saidAt = performance.now();
    const facts = await health.factsFor('');
    const answer = answersFor(facts);
    const keepers = keepersOf(facts);
    const holds = async (id: CheckId): Promise<boolean> => (await answer(id)).ok;
    said = {
      https: await holds('https'),
      eea: (await holds('eea')) && (await holds('processors')),
      backups: await holds('old-backups'),
      ...(keepers.length > 0 && { keepers }),
    };
  }

  return {
    lookAtSaid,
    /** Returns the statements that public pages may make now, checked at most some seconds before the last call. */
    said(): typeof said {
      // While the database is unreachable, the earlier statements stay.
      if (performance.now() - saidAt > SAID_MS) void lookAtSaid().catch(() => undefined);
      return said;
    },

    state: async (viewer: string): Promise<PapersState> => state(await health.factsFor(viewer)),

    /** Returns a paper. `language` applies to the notice at the door, the one paper that guests read. */
    async paper(name: PaperName, viewer: string, language: Language = 'de'): Promise<Paper> {
      const facts = await health.factsFor(viewer);
      const { statements: now } = await statementsOf(facts);
      const hash = hashOf(now);
      const issued = (await settings.view('issued')).version;
      return {
        ...(await paper(name, facts, TEXTS.paper(name, language))),
        hash,
        number: settings.get('issued')?.hash === hash ? issued : null,
      };
    },

    /** Returns the public page on accessibility; its sentences need neither database nor store. */
    async accessibility(): Promise<Paper> {
      const facts = health.facts();
      return { ...(await paper('barrierefreiheit', facts)), hash: hashOf({ release: facts.release, barriers: facts.form.barriers ?? '' }) };
    },

    /** Notes that customers get the current AVV. Throws Refusal `settings_changed` if `hash` belongs to another AVV. */
    async issue(hash: string, viewer: { username: string; address: string }): Promise<PapersState> {
      const facts = await health.factsFor(viewer.username);
      const { statements: now } = await statementsOf(facts);
      if (hashOf(now) !== hash) throw new Refusal('settings_changed');
      const { version } = await settings.view('issued');
      await settings.save('issued', version, { hash, statements: now }, viewer);
      return state(facts);
    },

    /** Returns the differences from the AVV that was issued last; none if none was issued. */
    async changes(viewer: string): Promise<PapersState['changes']> {
      return settings.get('issued') === null ? [] : (await state(await health.factsFor(viewer))).changes;
    },
  };
}

/** Returns the papers' statements about an installation by German names: the source of their hash and of the list of changes. */
function statements(known: Known, checks: CheckResult[]): Record<string, string> {
  const { database, store, form } = known;
  const { dpo } = known.business.privacy;
  const yes = (ok: boolean): string => (ok ? 'erfüllt' : 'nicht erfüllt');
  return {
    Betrieb: operatorLine(known),
    Kontakt: contactLine(known),
    'Betrieb des Servers': hostingLine(known),
    Adresse: known.publicUrl ?? 'keine',
    Datenbank: database.engine === 'sqlite' ? 'SQLite auf dem Server' : `PostgreSQL, ${database.host}`,
    Fotospeicher: store ? `${store.bucket} bei ${store.host} ${store.region}`.trim() : 'Ordner auf dem Server',
    'E\u2011Mail-Versand': known.mail?.host ?? 'keiner',
    'Löschfrist der Fotos': `${PHOTOS_KEPT_DAYS} Tage`,
    'Aufbewahrung von Sicherungen': `${BACKUPS_KEPT_DAYS} Tage`,
    'Aufbewahrung von Nachweisen': `${RECORDS_MONTHS} Monate`,
    'Datenschutzbeauftragte Person': dpo ?? 'keine',
    Ansprechperson: form.contact ?? 'keine',
    Meldefrist: form.breachHours ? `${form.breachHours} Stunden, ${form.breachPhone ?? ''}` : 'keine',
    'Ankündigung neuer Unterauftragsverarbeiter': form.objectionDays ? `${form.objectionDays} Tage` : 'keine',
    ...Object.fromEntries(
      servicesOf(known).map(({ what, company }) => [
        `Unterauftragsverarbeiter ${what}`,
        [company?.name, company?.address, company?.country].join(', '),
      ]),
    ),
    ...Object.fromEntries([...checks, ...ALWAYS].map(({ title, ok }) => [`Prüfung „${title}“`, yes(ok)])),
  };
}

/** Facts that an AVV states for every installation; tested pages are no part of an AVV. */
const ALWAYS = Object.values(PROVEN)
  .filter((title) => title !== PROVEN.axe)
  .map((title) => ({ title, ok: true }));

function hashOf(statements_: Record<string, string>): string {
  const text = JSON.stringify(Object.entries(statements_).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_SHOWN);
}

function changesBetween(before: Record<string, string>, now: Record<string, string>): PapersState['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const none = 'nichts';
  return names
    .filter((about) => before[about] !== now[about])
    .map((about) => ({ about, before: before[about] ?? none, now: now[about] ?? none }));
}
