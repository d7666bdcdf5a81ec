import { createHash } from 'node:crypto';
import type { PapersState } from '@feierbild/contract/calls/compliance.ts';
import { BACKUPS_KEPT_DAYS, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { PAPERS, type NoticeLanguage, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { CheckResult, Paper } from '@feierbild/contract/papers.ts';
import { Refusal } from '../../lib/errors.ts';
import { CHECKS, servicesOf, type CheckId } from './checks.ts';
import { createFacts, type ComplianceParts, type Facts, type Known } from './facts.ts';
import { accessibility } from './papers/accessibility.ts';
import { avv } from './papers/avv.ts';
import { deletion } from './papers/deletion.ts';
import { noticeIn } from './papers/notice.ts';
import { contactLine, hostingLine, MONTHS, operatorLine, typeset, type PaperText } from './papers/paper.ts';
import { register } from './papers/register.ts';
import { threshold } from './papers/threshold.ts';
import { tom } from './papers/tom.ts';

/** Hex digits of the hash of what the papers say. */
const HASH_SHOWN = 16;

const TEXTS: Record<PaperName, PaperText> = {
  avv,
  tom,
  verzeichnis: register,
  loeschkonzept: deletion,
  aushang: noticeIn('de'),
  schwellwert: threshold,
  barrierefreiheit: accessibility,
};

export type Compliance = ReturnType<typeof createCompliance>;

/** Papers of data protection from what the running system knows: every sentence hangs on checks, and says nothing where one fails. */
export function createCompliance(parts: ComplianceParts) {
  const { settings, clock } = parts;
  const { factsFor, known: readKnown } = createFacts(parts);

  /** Answers of checks, each asked once. */
  function answersFor(facts: Facts) {
    const answers = new Map<CheckId, Promise<CheckResult>>();
    const ask = async (id: CheckId): Promise<CheckResult> => ({ id, title: CHECKS[id].title, ...(await CHECKS[id].run(facts)) });
    return (id: CheckId): Promise<CheckResult> => {
      const answer = answers.get(id) ?? ask(id);
      answers.set(id, answer);
      return answer;
    };
  }

  async function paper(name: PaperName, facts: Facts, text: PaperText = TEXTS[name]): Promise<Paper> {
    const answer = answersFor(facts);
    const sections = await Promise.all(
      text(facts).map(async ({ title, lines }) => ({
        title: typeset(title),
        sentences: await Promise.all(
          lines.map(async ([said, source, ...checks]) => {
            const failed = (await Promise.all(checks.map(answer))).filter(({ ok }) => !ok);
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
      made_at: new Date(clock.now()).toISOString(),
    };
  }

  async function statementsOf(facts: Facts): Promise<{ statements: Record<string, string>; checks: CheckResult[] }> {
    const answer = answersFor(facts);
    // Only what a sentence of this installation hangs on.
    const ids = new Set(Object.values(TEXTS).flatMap((text) => text(facts).flatMap(({ lines }) => lines.flatMap(([, , ...on]) => on))));
    const checks = await Promise.all((Object.keys(CHECKS) as CheckId[]).filter((id) => ids.has(id)).map(answer));
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

  return {
    state: (viewer: string): Promise<PapersState> => state(factsFor(viewer)),

    /** `language` is of the notice at the door, the one paper that guests read. */
    async paper(name: PaperName, viewer: string, language: NoticeLanguage = 'de'): Promise<Paper> {
      const facts = factsFor(viewer);
      const { statements: now } = await statementsOf(facts);
      const hash = hashOf(now);
      const issued = (await settings.view('issued')).version;
      const text = name === 'aushang' ? noticeIn(language) : TEXTS[name];
      return { ...(await paper(name, facts, text)), hash, number: settings.get('issued')?.hash === hash ? issued : null };
    },

    /** The page on accessibility, for everybody: its sentences ask neither database nor store. */
    async accessibility(): Promise<Paper> {
      const known = readKnown();
      const facts = { ...known, found: () => Promise.reject(new Error('not for everybody')) };
      return { ...(await paper('barrierefreiheit', facts)), hash: hashOf({ release: known.release, barriers: known.form.barriers ?? '' }) };
    },

    /** Notes that customers get the AVV as it is now. Throws Refusal settings_changed where that is not what `hash` was shown of. */
    async issue(hash: string, viewer: { username: string; address: string }): Promise<PapersState> {
      const facts = factsFor(viewer.username);
      const { statements: now } = await statementsOf(facts);
      if (hashOf(now) !== hash) throw new Refusal('settings_changed');
      const { version } = await settings.view('issued');
      await settings.save('issued', version, { hash, statements: now }, viewer);
      return state(facts);
    },

    /** What the AVV that was given out last did not say so; without one nothing. */
    async changes(viewer: string): Promise<PapersState['changes']> {
      return settings.get('issued') === null ? [] : (await state(factsFor(viewer))).changes;
    },
  };
}

/** What the papers say of an installation, by a German name: from this their hash is made, and what changed is told. */
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
    'Aufbewahrung von Nachweisen': MONTHS,
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
    ...Object.fromEntries(checks.filter(({ id }) => !UNTOLD.has(id)).map(({ title, ok }) => [`Prüfung „${title}“`, yes(ok)])),
  };
}

/** What no customer was told of in an AVV. */
const UNTOLD = new Set(['axe']);

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
