// npm run check: checks types, lint with import rules, format, dead code and the mutants' places; all at once, in seconds.
// --beside-tests: takes only the time that the tests leave, and leaves the mutants' places to them.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { ENV, install, ROOT } from './lib.mjs';

const CHECKS = {
  // One run for both: typed rules need the compiler's work anyway.
  'types and lint': ['oxlint', '--type-aware', '--type-check', '--deny-warnings'],
  format: ['oxfmt', '--check', '.'],
  'dead code': ['knip'],
  // Mutants quote the source, so any change of a line can lose one.
  mutants: ['vitest', 'run', '--project', 'parts', 'tools/mutants.test.ts'],
};

/** The compiler takes seconds: Go's default frequency of garbage collections costs a tenth of its time, and saves a tenth of its memory. */
const GOGC = '400';
/** The lowest priority. */
const IDLE = 19;

install();
if (process.argv.includes('--beside-tests')) {
  setPriority(IDLE);
  delete CHECKS.mutants;
}
const started = Date.now();
const results = await Promise.all(Object.entries(CHECKS).map(([name, command]) => check(name, command)));
for (const { name, code, output } of results) {
  if (code !== 0) console.error(`\n${name} (${CHECKS[name].join(' ')})\n${output}`);
}
const failed = results.filter(({ code }) => code !== 0);
console.log(`check: ${results.length - failed.length} of ${results.length} fine, ${((Date.now() - started) / 1000).toFixed(1)} s`);
process.exit(failed.length > 0 ? 1 : 0);

function check(name, [command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env: { ...ENV, GOGC }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, code: 1, output: error.message }));
    child.on('close', (code) => resolve({ name, code, output }));
  });
}
