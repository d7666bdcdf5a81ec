// npm run mutants [-- words]: makes each small wrong change of tools/mutants/table.ts in a copy of the project, runs the tests that must
// notice it, and names those that none noticed. Words choose rows by file or text, --pure runs the pure tests alone. docs/mutants.md says
// more.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { ENV, install, NODE, ROOT } from './lib.mjs';
import { MUTANTS } from './mutants/table.ts';

const COPIES = 2;
/** Time after which a hanging test counts as one that noticed the change. */
const LIMIT_MS = 5 * 60 * 1000;

install();
const asked = process.argv.slice(2);
const onlyPure = asked.includes('--pure');
const words = asked.filter((word) => !word.startsWith('--'));
const rows = MUTANTS.filter((row) => words.every((word) => `${row.in} ${row.says}`.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'feierbild-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const waiting = [...rows.entries()];
const survivors = [];
await Promise.all(Array.from({ length: Math.min(COPIES, rows.length) }, (_, n) => work(copyOfProject(n))));
console.log(survivors.length > 0 ? `\nNoticed by no test:\n${survivors.map((line) => `  ${line}`).join('\n')}` : '');
const found = rows.length - survivors.length;
const share = onlyPure ? ` by the pure tests alone: ${Math.floor((100 * found) / rows.length)} %` : '';
console.log(`${found} of ${rows.length} noticed${share}`);
process.exit(survivors.length > 0 ? 1 : 0);

/** Tells whether a test needs neither process nor port. */
function isPure(name) {
  return !/\.\w+\.test\.ts$/.test(name);
}

async function work(copy) {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [n, row] = next;
    const file = join(copy, 'server/src', row.in);
    const right = readFileSync(file, 'utf8');
    const started = Date.now();
    writeFileSync(
      file,
      right.replace(row.change[0], () => row.change[1]),
    );
    const outcome = await notice(copy, row);
    writeFileSync(file, right);
    console.log(`${String(n + 1).padStart(3)} ${outcome}  ${row.in}: ${row.says} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
    if (outcome !== 'noticed') survivors.push(`${row.in}: ${row.says}${outcome === 'broken' ? ' (its tests could not run)' : ''}`);
  }
}

/** Copies the project as it stands, with its fixtures beside it; installed and built files are shared. */
function copyOfProject(n) {
  const copy = join(folder, String(n), 'project');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT }).toString().split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  for (const name of ['node_modules', 'web/dist', 'web/dist-render'])
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(copy, name));
  const beside = join(ROOT, '../shared');
  if (existsSync(beside)) symlinkSync(beside, join(folder, String(n), 'shared'));
  return copy;
}

/** Runs a mutant's tests: 'noticed' if one fails, 'MISSED' if all pass, 'broken' if none ran. */
async function notice(copy, { noticed, by = 'sqlite' }) {
  const names = onlyPure ? noticed.filter(isPure) : noticed;
  if (names.length === 0) return 'MISSED';
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = names.map((name) => join(copy, 'server/src', name));
  const args = ['run', ...files, '--bail=1', '--reporter=json', `--outputFile.json=${report}`, ...(by && ['--testNamePattern', by])];
  const child = spawn(NODE, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: copy, env: ENV, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (!existsSync(report)) return child.signalCode ? 'noticed' : 'broken';
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  if (numFailedTests > 0) return 'noticed';
  return numPassedTests > 0 ? 'MISSED' : 'broken';
}
