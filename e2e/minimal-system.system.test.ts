import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canMount, mountSmallDisk } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer } from './support/server.ts';

const PROJECT = join(import.meta.dirname, '..');
const SUITE = 'bookworm';
/** Space for the root and the packages that are installed in it, MB. */
const DISK = 1000;
const FAST = ['--dpkgopt=force-unsafe-io', ...['doc', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)];

/** A Node of the system without a shared libnode, so that a minimal system can run a copy. */
const foreign = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file) && !execFileSync('ldd', [file], { encoding: 'utf8' }).includes('libnode'));
const canRun = canMount('a minimal Debian') && existsSync('/usr/bin/mmdebstrap') && foreign !== undefined;
if (!canRun)
  console.log('skipped: a minimal Debian; its test needs mmdebstrap, and a Node of the system that runs without further libraries');

describe.skipIf(!canRun)('on a minimal Debian with nothing but a foreign Node', () => {
  let disk: Awaited<ReturnType<typeof mountSmallDisk>>;
  let root: string;

  beforeAll(async () => {
    disk = await mountSmallDisk(DISK);
    root = join(disk.folder, 'root');
    const made = ['--quiet', '--variant=minbase', '--format=directory', ...FAST, SUITE, root];
    execFileSync('mmdebstrap', made, { stdio: ['ignore', 'ignore', 'pipe'] });
    const npm = dirname(dirname(realpathSync(join(dirname(foreign as string), 'npm'))));
    copyFileSync(realpathSync(foreign as string), join(root, 'usr/local/bin/node'));
    cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
    copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
    writeFileSync(join(root, 'settings.env'), '');
    for (const folder of ['upper', 'work', join('root', PROJECT)]) mkdirSync(join(disk.folder, folder), { recursive: true });
  }, 900_000);
  afterAll(() => disk.unmount());

  /** Wraps a command: overlays the project as npm ci and the build left it here, so that changes in it stay in that root. */
  const inside = (...command: string[]): string[] => {
    const layers = `lowerdir=${PROJECT},upperdir=${disk.folder}/upper,workdir=${disk.folder}/work`;
    const mounts = [`-t overlay -o ${layers} none ${root}${PROJECT}`, `-t proc none ${root}/proc`, `--rbind /dev ${root}/dev`];
    const script = `${mounts.map((mount) => `mount ${mount}`).join(' && ')} && exec chroot ${root} "$@"`;
    const environment = ['PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', 'HOME=/root', 'SETTINGS_FILE=/settings.env'];
    const chroot = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh'];
    return chroot.concat('env', `--chdir=${PROJECT}`, environment, command);
  };

  it('npm start names the package that the runtime lacks, each time, and as root installs it and serves', async () => {
    const apt = join(root, 'usr/bin/apt-get');
    renameSync(apt, `${apt}.away`);
    // The first start runs the system's node. Once `npm ci` has installed the runtime, npm prefers that one.
    const refusals = [
      ['node', 'tools/start.mjs'],
      ['npm', 'start'],
    ].map((started) => {
      const [command = '', ...args] = inside(...started);
      return spawnSync(command, args, { encoding: 'utf8' });
    });
    const names = 'apt-get install libatomic1 .*dnf install libatomic .*apk add libatomic';
    for (const { status, stderr } of refusals)
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^Der mitgebrachten Laufzeit fehlt libatomic\\.so\\.1\\. .*${names}`, 'm')),
      ]);
    renameSync(`${apt}.away`, apt);

    const server = await startServer({ DATA_DIR: '/srv/data' }, inside('npm', 'start'));
    expect(server.output()).toContain('Installiere für die mitgebrachte Laufzeit: libatomic1\n');
    // The server answers a moment before it prints this line.
    await expect.poll(server.output).toContain('Feierbild läuft');
    const event = await createEvent(await adminOf(server.url));
    const answer = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    expect(answer.status).toBe(201);
    await server.kill();
  });
});
