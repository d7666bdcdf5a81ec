// npm run image [-- <archive>]: makes a container image of the package, by buildah and without a registry: the base is Debian's own
// packages (mmdebstrap).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPages, fail, install, ROOT, run } from './lib.mjs';
import { makeFolder } from './package/make-package.mjs';

const BASE = 'feierbild-base';
const SUITE = 'bookworm';
/** The packages that deploy/Containerfile would install. */
const INCLUDED = 'bubblewrap,ca-certificates,libatomic1';

const archive = resolve(process.argv[2] ?? join(ROOT, 'dist/feierbild-image.tar'));
const work = mkdtempSync(join(tmpdir(), 'feierbild-image-'));
// A store of its own without kernel modules, and steps in a chroot: this works without an engine, also inside a container.
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
const store = ['--root', join(work, 'root'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];

function step(command, args) {
  if (run(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }) !== 0) throw new Error(`${command} ${args[0]}`);
}
const buildah = (...args) => step('buildah', [...store, ...args]);

install();
buildPages();
try {
  const folder = makeFolder(join(work, 'package'));
  step('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${INCLUDED}`, SUITE, join(work, 'base.tar')]);
  buildah('from', '--name', 'base', 'scratch');
  buildah('add', 'base', join(work, 'base.tar'), '/');
  buildah('commit', '--rm', 'base', BASE);
  const file = join(ROOT, 'deploy/Containerfile');
  // OCI's format has no health check; Docker's has.
  buildah('build', '--format', 'docker', '--build-arg', `BASE=localhost/${BASE}`, '--file', file, '--tag', 'feierbild', folder);
  rmSync(archive, { force: true });
  buildah('push', '--quiet', 'feierbild', `docker-archive:${archive}:feierbild:latest`);
  console.log(archive);
} catch (error) {
  fail(`npm run image: ${error.message}. Gebraucht werden root, buildah und mmdebstrap (Debian: apt-get install buildah mmdebstrap).`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
