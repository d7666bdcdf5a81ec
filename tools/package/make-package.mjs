// Makes a folder that runs on its own: production packages, built pages, the runtime, an SBOM and the files of deploy/.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, NODE, ROOT } from '../lib.mjs';
import { productionPackages, shippedInPages } from './packages.mjs';
import { bill } from './sbom.mjs';

const AS_THEY_ARE = [
  'LICENSE',
  'README.md',
  'README.de.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'deploy',
  'docs',
  'examples',
  'web/dist',
  'web/dist-render',
  'server/runtime-flags.json',
];
const SOURCES = ['contract/src', 'server/src'];
const MANIFESTS = ['contract/package.json', 'server/package.json'];
/** Files for tests alone. */
const NOT_SHIPPED = /\.test\.ts$|\/testing(\.ts)?$/;
/** Files of packages that nothing reads, by the path within: types and sources (Node runs no TypeScript there), source maps, tests. */
const DEAD_WEIGHT = /\.([cm]?ts|map|tsbuildinfo)$|^\/(tests?|benchmarks?|\.github|node_modules)(\/|$)/;
/** Fixed time of modification: the same sources give the same tarball. */
const MTIME = '2026-01-01T00:00:00Z';

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What a service that runs in the folder keeps there. */
const KEPT = ['data', 'feierbild.env'];

/**
 * Makes the folder of `makeFolder` and its tarball in `target`, in place of earlier ones. A folder in which a service keeps its data ends
 * the process with a sentence. Returns the paths of both.
 */
export function makePackage(target) {
  const made = folderIn(target);
  const kept = KEPT.find((name) => existsSync(join(made, name)));
  if (kept) fail(`${join(made, kept)} ginge verloren. Verschieben Sie es aus dem Ordner des Pakets.`);
  rmSync(made, { recursive: true, force: true });
  const folder = makeFolder(target);
  return { folder, tarball: pack(target, folder) };
}

/** Makes `feierbild-<version>-<platform>-<arch>` in `target`, which has none yet. Returns its path. */
export function makeFolder(target) {
  const folder = folderIn(target);
  mkdirSync(target, { recursive: true });
  mkdirSync(folder);

  for (const name of [...AS_THEY_ARE, ...MANIFESTS]) copy(join(ROOT, name), join(folder, name), (path) => basename(path) !== '.built');
  for (const name of SOURCES) copy(join(ROOT, name), join(folder, name), (path) => !NOT_SHIPPED.test(path));
  const packages = productionPackages();
  for (const { path } of packages) {
    // A needed package below another one has an entry of its own.
    const own = join(ROOT, path);
    copy(own, join(folder, path), (from) => !DEAD_WEIGHT.test(from.slice(own.length)));
  }
  // Node runs no TypeScript below node_modules, so our own package is a link, as in a clone.
  mkdirSync(join(folder, 'node_modules/@feierbild'), { recursive: true });
  symlinkSync('../../contract', join(folder, 'node_modules/@feierbild/contract'));

  copy(NODE, join(folder, 'runtime/node'));
  copy(join(dirname(dirname(NODE)), 'LICENSE'), join(folder, 'runtime/LICENSE'), undefined, true);
  writeStart(folder);
  const runtime = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
  writeFileSync(join(folder, 'sbom.cdx.json'), bill({ version: VERSION, runtime, packages, inPages: shippedInPages() }));
  return folder;
}

/**
 * Writes `bin/feierbild`, which becomes the service or an operator's command, and `bin/feierbild-health`, which asks whether the service
 * answers.
 */
function writeStart(folder) {
  const { flags } = JSON.parse(readFileSync(join(ROOT, 'server/runtime-flags.json'), 'utf8'));
  const text = readFileSync(join(import.meta.dirname, 'start.sh'), 'utf8').replace('@FLAGS@', flags.join(' '));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/feierbild'), text);
  copy(join(import.meta.dirname, 'health.sh'), join(folder, 'bin/feierbild-health'));
  for (const name of ['feierbild', 'feierbild-health']) chmodSync(join(folder, 'bin', name), 0o755);
}

const folderIn = (target) => join(target, `feierbild-${VERSION}-${process.platform}-${process.arch}`);

function pack(target, folder) {
  const tarball = `${folder}.tar.gz`;
  const order = ['--sort=name', `--mtime=${MTIME}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go=rX'];
  const { status, stderr } = spawnSync('tar', ['-czf', tarball, ...order, '-C', target, basename(folder)], { encoding: 'utf8' });
  if (status !== 0) fail(`tar: ${stderr}`);
  return tarball;
}

function copy(from, to, filter, optional = false) {
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, ...(filter && { filter }) });
  } catch (error) {
    if (!(optional && error.code === 'ENOENT')) throw error;
  }
}
