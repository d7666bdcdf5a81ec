import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const NEEDED = ['buildah', 'mmdebstrap', 'bwrap'];
const missing = NEEDED.filter((name) => !existsSync(join('/usr/bin', name)));
const isRoot = process.getuid?.() === 0;
const canBuild = process.platform === 'linux' && isRoot && missing.length === 0;
if (!canBuild)
  console.log(
    `skipped: the container image; its tests need root on Debian and ${NEEDED.join(', ')}, which npm test does not install because making the image takes two minutes`,
  );
const USER = 10_001;

interface Settings {
  User: string;
  Entrypoint: string[];
  StopSignal: string;
  Volumes: Record<string, object>;
  Healthcheck: { Test: string[] };
}

describe.skipIf(!canBuild)('the container image', () => {
  let work: string;
  let root: string;
  let data: string;
  let settings: Settings;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'feierbild-image-test-'));
    [root, data] = [join(work, 'root'), join(work, 'data')];
    await Promise.all([mkdir(root), mkdir(data)]);
    chownSync(data, USER, USER);
    const archive = join(work, 'image.tar');
    execFileSync(process.execPath, [join(ROOT, 'tools/image.mjs'), archive], { stdio: ['ignore', 'ignore', 'pipe'] });
    execFileSync('tar', ['-xf', archive, '-C', work]);
    const [image] = JSON.parse(readFileSync(join(work, 'manifest.json'), 'utf8')) as { Config: string; Layers: string[] }[];
    settings = (JSON.parse(readFileSync(join(work, image?.Config ?? ''), 'utf8')) as { config: Settings }).config;
    for (const layer of image?.Layers ?? []) execFileSync('tar', ['-xf', join(work, layer), '-C', root]);
  }, 600_000);
  afterAll(() => rm(work, { recursive: true, force: true }));

  /** Wraps a command as an engine runs it: the image's unprivileged user, a read-only root, own processes, but this machine's network. */
  const inside = (command: readonly string[]): string[] => [
    '/usr/bin/bwrap',
    ...`--ro-bind ${root} / --proc /proc --dev /dev --perms 1777 --tmpfs /tmp --bind ${data} /data`.split(' '),
    ...'--setenv DATA_DIR /data --setenv PATH /usr/bin:/bin --unsetenv NODE_COMPILE_CACHE'.split(' '),
    ...'--unshare-pid --unshare-ipc --as-pid-1 --die-with-parent --cap-add ALL'.split(' '),
    '/usr/bin/setpriv',
    ...`--reuid=${USER} --regid=${USER} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`.split(' '),
    ...command,
  ];

  it('says who runs it, what it starts, where it writes and how its health is asked for', () => {
    expect(settings).toMatchObject({
      User: `${USER}:${USER}`,
      Entrypoint: ['/opt/feierbild/bin/feierbild'],
      StopSignal: 'SIGTERM',
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', '/opt/feierbild/bin/feierbild-health'] },
    });
  });

  it('serves, with isolated decoders, as a user without rights on a read-only root, and ends well on SIGTERM', async () => {
    const namespaces = spawnSync('setpriv', [`--reuid=${USER}`, '--clear-groups', 'unshare', '--user', 'true']).status === 0;
    if (!namespaces) console.log('skipped: isolation of the decoders in the image; this system lets nobody make user namespaces');
    const server = await startServer({ DATA_DIR: data, DECODER_ISOLATION: namespaces ? 'required' : 'best' }, inside(settings.Entrypoint));
    const event = await createEvent(await adminOf(server.url));
    const answer = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    expect(answer.status).toBe(201);
    const [, ...health] = settings.Healthcheck.Test;
    const asked = (port: string) => {
      const [command = '', ...args] = inside(health);
      return spawnSync(command, args, { env: { PORT: port } }).status;
    };
    expect(asked(new URL(server.url).port)).toBe(0);
    expect(asked('9')).toBe(1);
    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    const { pid } = server.process;
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()), 'SIGTERM');
    expect(await ended).toBe(0);
    await server.dispose();
  });
});
