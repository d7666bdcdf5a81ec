// npm test: sets up the tests' needs and runs them; ends with the line "N passed, N failed, N skipped". A file's name gives its kind:
// x.test.ts (pure), x.process.test.ts, x.browser.test.ts, x.system.test.ts. --quick runs the pure ones, --all (as CI=true) all four.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildPages, ENV, install, NODE, ROOT, run } from './lib.mjs';
import { canInstall, installPackages } from './system.mjs';

/** Name of Debian's package, of its program and of Playwright's download. */
const BROWSER = 'chromium-headless-shell';
/** Programs that tests use, and their Debian packages. */
const NEEDED = {
  // buildah is left out: making the image takes two minutes more (npm run image; then e2e/image.system.test.ts runs, too).
  [`/usr/bin/${BROWSER}`]: BROWSER,
  // The browser does not start without this package, on which Debian's package does not depend.
  '/usr/lib/chromium/icudtl.dat': 'chromium-common',
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/7z': 'p7zip-full',
  '/usr/bin/bsdtar': 'libarchive-tools',
  '/usr/bin/unzip': 'unzip',
  '/usr/bin/pdftoppm': 'poppler-utils',
  '/usr/bin/zbarimg': 'zbar-tools',
  '/usr/bin/bwrap': 'bubblewrap',
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/usr/bin/ffmpeg': 'ffmpeg',
  '/usr/bin/ceph-mon': 'ceph-mon',
  '/usr/bin/ceph-osd': 'ceph-osd',
  '/usr/bin/radosgw': 'radosgw',
  '/usr/bin/ceph': 'ceph-common',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/caddy': 'caddy',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/bin/promtool': 'prometheus',
  '/usr/bin/systemd-analyze': 'systemd',
  // Clients of WebDAV, by which photo booth software writes.
  '/usr/bin/curl': 'curl',
  '/usr/bin/rclone': 'rclone',
  '/usr/bin/rsync': 'rsync',
  '/usr/bin/fusermount3': 'fuse3',
  '/usr/bin/cadaver': 'cadaver',
  '/usr/sbin/mount.davfs': 'davfs2',
  '/usr/bin/gio': 'libglib2.0-bin',
  '/usr/libexec/gvfsd-dav': 'gvfs-backends',
  '/usr/bin/dbus-run-session': 'dbus-daemon',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/python3': 'python3',
  '/usr/lib/python3/dist-packages/cryptography': 'python3-cryptography',
};

const SLOWEST = 10;
const KINDS = ['pure', 'process', 'browser', 'system'];
const asked = process.argv.slice(2);
const wanted = asked.filter((word) => !word.startsWith('--'));
const isAll = asked.includes('--all') || process.env.CI === 'true' || wanted.length > 0;
const kinds = asked.includes('--quick') ? ['pure'] : isAll ? KINDS : KINDS.filter((kind) => kind !== 'system');

install();
if (kinds.length > 1) installPrograms();
// The check runs beside the tests, which spend half of their time waiting.
const check = spawn(NODE, ['tools/check.mjs', ...(wanted.length > 0 ? [] : ['--beside-tests'])], { cwd: ROOT, env: ENV, stdio: 'inherit' });
const checked = new Promise((resolve) => check.on('exit', resolve).on('error', resolve));
if (kinds.length > 1) buildPages();

const failures = [];
const folder = mkdtempSync(join(tmpdir(), 'feierbild-test-'));
const report = join(folder, 'report.json');
const vitest = [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
// The tests start the server and its commands some hundred times, so compiled code is cached, also from one run to the next.
const code = run(NODE, [...vitest, ...wanted], {
  env: { ...ENV, TEST_KINDS: kinds.join(), NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled') },
});
const counts = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] };
rmSync(folder, { recursive: true, force: true });
if ((await checked) !== 0) failures.push('npm run check');
if (code !== 0 && counts.numFailedTests === 0) failures.push('vitest');
tellTimes(counts.testResults);
for (const name of failures) console.log(`failed: ${name}`);
const leftOut = KINDS.filter((kind) => !kinds.includes(kind));
if (leftOut.length > 0) console.log(`Nicht gelaufen: ${leftOut.join(', ')} (alles: npm test -- --all)`);
console.log(
  `${counts.numPassedTests} passed, ${counts.numFailedTests + failures.length} failed, ${counts.numPendingTests + counts.numTodoTests} skipped`,
);
process.exit(code !== 0 || failures.length > 0 ? 1 : 0);

/** Prints number and seconds by kind, and the slowest files. */
function tellTimes(files) {
  const kindOf = (name) => /\.(\w+)\.test\.ts$/.exec(name)?.[1] ?? 'pure';
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
  for (const kind of kinds) {
    const own = files.filter(({ name }) => kindOf(name) === kind);
    const tests = own.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0);
    console.log(`${kind}: ${tests} tests, ${own.reduce((sum, file) => sum + seconds(file), 0).toFixed(0)} s`);
  }
  const slowest = files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST);
  console.log(`slowest: ${slowest.map((file) => `${relative(ROOT, file.name)} ${seconds(file).toFixed(0)} s`).join(', ')}`);
}

/** Installs missing programs as root on Debian; elsewhere at least a browser. Tests whose program is missing skip and report it. */
function installPrograms() {
  const isNeeded = ([, name]) => kinds.includes('system') || name.startsWith('chromium');
  const missing = Object.entries(NEEDED).filter((one) => isNeeded(one) && !existsSync(one[0]));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (canInstall) {
    console.log(`Installiere für die Tests: ${packages.join(' ')}`);
    installPackages(packages);
  }
  if (!existsSync(`/usr/bin/${BROWSER}`) && !existsSync('/usr/bin/chromium'))
    run(NODE, [join(ROOT, 'node_modules/playwright/cli.js'), 'install', ...(canInstall ? ['--with-deps'] : []), BROWSER]);
  // Any browser suffices; tests of other missing programs are skipped.
  const lacking = missing.filter(([path, name]) => !name.startsWith('chromium') && !existsSync(path)).map(([, name]) => name);
  if (lacking.length > 0) console.log(`Für alle Tests fehlen hier: ${lacking.join(' ')} (die betroffenen werden übersprungen).`);
}
