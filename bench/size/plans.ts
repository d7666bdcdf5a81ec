import { openSession } from '../../server/src/database/postgres.ts';

/** Prefix of each entry of the log (log_line_prefix). */
export const LOG_LINE = '@@@ ';
/** Most rows that a plan may sort or read without a condition: more than an event has, far fewer than all. */
const MANY_ROWS = 50_000;
/** Cost of a plan (PostgreSQL's unit: a page read in order) below which reading a whole table is right, because it is small. */
const CHEAP = 1000;
/** Tables that grow with photos or guests. */
const LARGE = new Set(['photos', 'photo_keys', 'uploads', 'changes', 'devices', 'guest_keys', 'links', 'link_keys']);

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  'Total Cost': number;
  Plans?: PlanNode[];
}

/** A step of a statement that is too expensive among 10,000,000 photos. */
export interface Finding {
  statement: string;
  what: string;
}

/** Starts or stops logging the plan of each statement (auto_explain), for connections that are opened from now on. */
export async function writePlans(url: string, on: boolean): Promise<void> {
  const client = await openSession(url);
  const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
  const settings = { session_preload_libraries: 'auto_explain', 'auto_explain.log_min_duration': '0', 'auto_explain.log_format': 'json' };
  await client.query(`load 'auto_explain'`);
  for (const [setting, value] of Object.entries(settings))
    await client.query(`alter database ${name} ${on ? `set ${setting} = '${value}'` : `reset ${setting}`}`);
  await client.end();
}

/** Reads the statements whose plans are in PostgreSQL's log, and the flaws of these plans. */
export function readPlans(log: readonly string[]): { statements: Map<string, number>; findings: Finding[] } {
  const statements = new Map<string, number>();
  const findings = new Map<string, Finding>();
  for (const entry of entries(log)) {
    const at = entry.indexOf('plan:\n');
    if (at < 0) continue;
    const plan = JSON.parse(entry.slice(at + 'plan:\n'.length)) as { 'Query Text': string; Plan: PlanNode };
    const statement = plan['Query Text'].replaceAll(/\s+/g, ' ').trim();
    statements.set(statement, (statements.get(statement) ?? 0) + 1);
    for (const what of flawsOf(plan.Plan)) findings.set(statement + what, { statement, what });
  }
  return { statements, findings: [...findings.values()] };
}

/** Splits pieces of the log into entries. */
function* entries(log: readonly string[]): Generator<string> {
  let rest = '';
  for (const piece of log) {
    const parts = (rest + piece).split(LOG_LINE);
    rest = parts.pop() ?? '';
    yield* parts;
  }
  yield rest;
}

function* flawsOf(node: PlanNode, limited = false): Generator<string> {
  const { 'Node Type': type, 'Relation Name': table = '', 'Plan Rows': rows, 'Index Cond': condition, 'Index Name': index } = node;
  const cheap = node['Total Cost'] < CHEAP;
  if (type === 'Seq Scan' && LARGE.has(table) && !cheap) yield `reads all of ${table}`;
  // A node below a limit ends after the limit's rows: the plan's estimate does not count.
  if (type.startsWith('Index') && condition === undefined && rows > MANY_ROWS && !limited) yield `reads all of ${index}`;
  if (type.includes('Sort') && rows > MANY_ROWS) yield `sorts ${rows} rows`;
  if (rows > MANY_ROWS && LARGE.has(table) && !limited) yield `expects ${rows} rows of ${table}`;
  for (const child of node.Plans ?? []) yield* flawsOf(child, type === 'Limit' || (limited && !type.includes('Sort')));
}
