import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
/** All commands that bin/feierbild needs of a system. */
const TOOLS = ['sh', 'dirname', 'readlink'];
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

interface Component {
  group?: string;
  name: string;
  version: string;
  properties?: { name: string; value: string }[];
  components?: Component[];
}

describe('the package', () => {
  let work: string;
  /** The unpacked package, with nothing else beside it. */
  let folder: string;
  let path: string;
  /** What making the package said of a folder in which somebody runs an earlier one, and what that folder held afterwards. */
  let refused: { status: number | null; stderr: string; kept: string[] };

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'feierbild-package-'));
    const made = join(work, 'made');
    const earlier = join(made, `feierbild-${VERSION}-${process.platform}-${process.arch}`);
    await mkdir(join(earlier, 'data'), { recursive: true });
    await writeFile(join(earlier, 'data/feierbild.sqlite'), 'rows');
    // Quick compression, since the tarball is unpacked at once.
    const env = { ...process.env, GZIP: '-1' };
    const make = () => spawnSync(process.execPath, [join(ROOT, 'tools/package.mjs'), made], { encoding: 'utf8', env });
    const { status, stderr } = make();
    refused = { status, stderr, kept: readdirSync(made, { recursive: true, encoding: 'utf8' }) };
    await rm(join(earlier, 'data'), { recursive: true });
    const tarball = make().stdout.trim().split('\n').at(-1) ?? '';
    await mkdir(join(work, 'empty'));
    execFileSync('tar', ['-xzf', tarball, '-C', join(work, 'empty')]);
    await rename(tarball, join(work, 'tarball'));
    await rm(made, { recursive: true });
    folder = join(work, 'empty', basename(tarball, '.tar.gz'));
    path = join(work, 'bin');
    await mkdir(path);
    const found = (tool: string) => ['/usr/bin', '/bin'].map((bin) => join(bin, tool)).find((file) => existsSync(file));
    for (const tool of [...TOOLS, 'bwrap']) {
      const real = found(tool);
      if (real) await symlink(realpathSync(real), join(path, tool));
    }
  }, 300_000);
  afterAll(() => rm(work, { recursive: true, force: true }));

  it('is not made in place of one in which somebody keeps data', () => {
    const name = `feierbild-${VERSION}-${process.platform}-${process.arch}`;
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(`${name}/data ginge verloren.`) });
    expect(refused.kept.toSorted()).toEqual([name, `${name}/data`, `${name}/data/feierbild.sqlite`]);
  });

  it('says at its start of data in its own folder that the next version will not find them', () => {
    const link = join(work, 'linked');
    symlinkSync(folder, link);
    const started = (DATA_DIR: string) =>
      // The start ends before it writes anything: that is no address of this machine.
      spawnSync(join(folder, 'bin/feierbild'), { encoding: 'utf8', env: { PATH: path, DATA_DIR, HOST: '192.0.2.1' }, timeout: 60_000 })
        .stderr;
    for (const DATA_DIR of ['', join(folder, 'data'), join(link, 'data')])
      expect(started(DATA_DIR)).toContain(`DATA_DIR: ${DATA_DIR || join(folder, 'data')} liegt im Ordner des Pakets`);
    expect(started(join(work, 'elsewhere'))).not.toContain('liegt im Ordner des Pakets');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('starts as one process where there is neither Node nor npm, takes a photo, and ends well', async () => {
    expect(spawnSync('sh', ['-c', 'command -v node npm'], { env: { PATH: path } }).status).not.toBe(0);
    const server = await startServer({ PATH: path }, [join(folder, 'bin/feierbild')]);
    expect(readlinkSync(`/proc/${server.process.pid}/exe`)).toBe(join(folder, 'runtime/node'));
    const event = await createEvent(await adminOf(server.url));
    const answer = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    expect(answer.status).toBe(201);
    const { photo } = (await answer.json()) as { photo: { width: number } };
    expect(photo.width).toBeGreaterThan(0);
    // A server-rendered page, and the assets that it names.
    const page = await (await fetch(`${server.url}/join`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('Event beitreten');
    const assets = [...page.matchAll(/"(\/assets\/[^"\s]+)"/g)].map(([, asset]) => asset as string);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) expect((await fetch(server.url + asset)).status).toBe(200);
    // The same program runs the operator's commands.
    const verified = spawnSync(join(folder, 'bin/feierbild'), ['verify'], {
      encoding: 'utf8',
      env: { PATH: path, DATA_DIR: server.dataDir },
    });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const health = spawnSync(join(folder, 'bin/feierbild-health'), { env: { PATH: path, PORT: new URL(server.url).port } });
    expect(health.status).toBe(0);
    expect(await server.stop()).toBe(0);
    expect(spawnSync(join(folder, 'bin/feierbild-health'), { env: { PATH: path, PORT: new URL(server.url).port } }).status).toBe(1);
    await server.dispose();
  });

  it('restores by the lines of both guides on a machine where the service never ran', async () => {
    if (process.getuid?.() !== 0) return console.log('skipped: a restore on a new machine; it needs root');
    await chmod(work, 0o755);
    const server = await startServer({ PATH: path }, [join(folder, 'bin/feierbild')]);
    const event = await createEvent(await adminOf(server.url));
    await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    await server.stop();
    const read = (page: string) => readFileSync(join(folder, 'docs', page), 'utf8');
    for (const guide of ['betreiber.md', 'knoten.md']) {
      const machine = join(work, guide);
      const [data, backup] = ['lib', 'backups'].map((name) => join(machine, 'var', name, 'feierbild')) as [string, string];
      for (const place of [data, backup]) await mkdir(dirname(place), { recursive: true });
      execFileSync(join(folder, 'bin/feierbild'), ['backup', backup], { env: { PATH: path, DATA_DIR: server.dataDir } });
      const [before = ''] = read(`benutzung/${guide}`).split(/^#+ .*Starten$/m);
      const orders = [/^sudo (install -d .* \/var\/lib\/feierbild)$/m.exec(before), /`sudo (chown -R [^`]*)`/.exec(read('operations.md'))];
      for (const order of orders) {
        const here = `${order?.[1]}`.replaceAll('/var/', `${machine}/var/`).replaceAll(/(?<=[ :])feierbild/g, '10001');
        execFileSync('sh', ['-c', here]);
      }
      const by = ['--reuid=10001', '--regid=10001', '--clear-groups', join(folder, 'bin/feierbild')];
      const env = { PATH: '/usr/bin:/bin', DATA_DIR: data };
      const restored = spawnSync('setpriv', [...by, 'restore', backup], { encoding: 'utf8', env });
      expect([restored.status, restored.stderr]).toEqual([0, '']);
    }
    await server.dispose();
  });

  it('serves what pages of a release load that is unpacked beside it, started by a link as in the guide', async () => {
    const beside = join(dirname(folder), basename(folder).replace(/^feierbild-[^-]+/, 'feierbild-99.0.0'));
    execFileSync('tar', ['-xzf', join(work, 'tarball'), '-C', dirname(folder), `--transform=s,^[^/]*,${basename(beside)},`]);
    const link = join(dirname(folder), 'feierbild');
    await symlink(basename(folder), link);
    const server = await startServer({ PATH: path }, [join(link, 'bin/feierbild')]);
    await writeFile(join(beside, 'web/dist/assets/later-AbCdEfGh.js'), 'export {};');
    const answer = await fetch(`${server.url}/assets/later-AbCdEfGh.js`);
    expect([answer.status, await answer.text()]).toEqual([200, 'export {};']);
    await server.dispose();
    await rm(beside, { recursive: true });
  });

  it('makes the demo, from its own pictures', async () => {
    const server = await startServer({ PATH: path, DEMO: 'on' }, [join(folder, 'bin/feierbild')]);
    const site = async () => (await (await fetch(`${server.url}/api/site`)).json()) as { demo: object | null };
    await expect.poll(site, { timeout: 60_000 }).toMatchObject({ demo: { code: expect.any(String) } });
    await server.stop();
    const off = { PATH: path, DATA_DIR: server.dataDir, DEMO: 'off' };
    const { stdout } = spawnSync(join(folder, 'bin/feierbild'), ['maintain'], { encoding: 'utf8', env: off });
    expect(stdout).toMatch(/Die Demo ist ausgeschaltet und darum gelöscht\.\n$/);
    await server.dispose();
  });

  it('reads the file that SETTINGS_FILE names, and says so where it is missing, not to be read or not of NAME=Wert alone', async () => {
    const start = (file: string, by: string[] = []) => {
      const [command, ...args] = [...by, join(folder, 'bin/feierbild')];
      const env = { PATH: '/usr/bin:/bin', SETTINGS_FILE: file, DATA_DIR: join(work, 'none') };
      const { status, stderr } = spawnSync(command, args, { cwd: work, encoding: 'utf8', env });
      return [status, stderr.trim()];
    };
    expect(start('/nowhere.env')).toEqual([78, 'SETTINGS_FILE: Die Datei /nowhere.env gibt es nicht.']);
    const file = join(work, 'feierbild.env');
    await writeFile(file, 'PUBLIC_URL: https://fotos.example\n', { mode: 0o600 });
    // A relative name is meant from where it was called, even if a file of this name is also beside bin/.
    await writeFile(join(folder, 'feierbild.env'), '');
    for (const named of [file, 'feierbild.env'])
      expect(start(named)).toEqual([78, `${file}: Zeile 1 (PUBLIC_URL) hat nicht die Form NAME=Wert.`]);
    await rm(join(folder, 'feierbild.env'));
    if (process.getuid?.() !== 0) return console.log('skipped: settings of another user; that needs root');
    await chmod(work, 0o755);
    const refused = start(file, ['setpriv', '--reuid=10001', '--clear-groups']);
    expect(refused).toEqual([78, expect.stringMatching(/^Die Einstellungen in \S+ darf dieser Benutzer nicht lesen\. .*chown/)]);
  });

  it('tells its version, and in its words how it is called', () => {
    const told = (...args: string[]) => spawnSync(join(folder, 'bin/feierbild'), args, { encoding: 'utf8', env: { PATH: path } });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8')) as { version: string };
    expect(told('--version').stdout).toBe(`Feierbild ${version}, Node ${process.versions.node}\n`);
    expect(told('help').stdout).toMatch(/^Aufruf: bin\/feierbild <Befehl>\n/);
    expect(told('help').stdout).not.toContain('npm');
  });

  it('looks for the files that a command names where it was called, and reads what the shell hands it', async () => {
    await writeFile(join(work, 'beleg.json'), '{}');
    const verify = (file: string, input = '') => {
      const options = { cwd: work, input, encoding: 'utf8', env: { PATH: path, DATA_DIR: join(work, 'none') } } as const;
      return spawnSync(join(folder, 'bin/feierbild'), ['receipt', 'verify', file], options).stderr.trim();
    };
    expect(verify('beleg.json')).toBe('beleg.json ist kein Löschprotokoll.');
    expect(verify('keiner.json')).toBe('keiner.json ist nicht lesbar (ENOENT).');
    expect(verify('-', '{}')).toBe('- ist kein Löschprotokoll.');
  });

  it('isolates its decoders just as well where the environment is empty', () => {
    const [empty, usual] = [{}, { PATH: '/usr/local/bin:/usr/bin:/bin' }].map((env) => {
      const { stdout } = spawnSync(join(folder, 'bin/feierbild'), ['doctor'], {
        encoding: 'utf8',
        env: { ...env, DATA_DIR: join(work, 'none') },
      });
      expect(stdout).not.toContain('npm');
      return /^.*Abschottung: .*$/m.exec(stdout)?.[0];
    });
    expect(empty).toBe(usual);
  });

  it('lists in its bill of materials exactly the packages that it holds, and none that only developers need', () => {
    const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as { bomFormat: string; components: Component[] };
    expect(bill.bomFormat).toBe('CycloneDX');
    const listed = bill.components
      .filter(({ properties }) => properties?.[0]?.value.startsWith('node_modules/'))
      .map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`);
    expect(listed.sort()).toEqual(held(join(folder, 'node_modules')).sort());
    expect(listed.filter((name) => /^(vite|vitest|typescript|playwright|lighthouse|knip|ox)/.test(name))).toEqual([]);
    const node = bill.components.find(({ name }) => name === 'node');
    expect(`v${node?.version}`).toBe(execFileSync(join(folder, 'runtime/node'), ['--version'], { encoding: 'utf8' }).trim());
    expect(bill.components.map(({ name }) => name)).toContain('react-dom');
    // The decoder of strangers' pictures does not come from npm; the operator needs warnings about it, too.
    const native = bill.components.flatMap(({ components = [] }) => components.map(({ name, version }) => `${name} ${version}`));
    const { vips, heif } = sharp.versions;
    expect(native).toEqual(expect.arrayContaining([`libvips ${vips}`, `libheif ${heif}`, expect.stringMatching(/^zlib-ng \d/)]));
  });

  it('holds no test, no type declaration and nothing of the folder it was made in', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const [theirs, ours] = [true, false].map((below) => files.filter((file) => file.startsWith('node_modules/') === below));
    expect(ours?.filter((file) => /\.(test|fixture)\.ts$|testing/.test(file))).toEqual([]);
    // Our own packages are links, which the bill of materials does not follow.
    expect(theirs?.filter((file) => /\.([cm]?ts|map)$/.test(file) && !file.startsWith('node_modules/@feierbild/'))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'docs/operations.md', 'bin/feierbild', 'runtime/LICENSE']));
    const written = ['bin/feierbild', 'bin/feierbild-health', 'sbom.cdx.json'].map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const text of written) expect(text).not.toContain(ROOT);
  });
});

/** Lists packages in a node_modules folder and below as `name@version`, without our own, which are links. */
function held(folder: string): string[] {
  return readdirSync(folder).flatMap((entry) => {
    if (entry.startsWith('.') || entry === '@feierbild') return [];
    const at = join(folder, entry);
    if (entry.startsWith('@')) return held(at);
    if (!statSync(at).isDirectory()) return [];
    const { name, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name: string; version: string };
    const below = join(at, 'node_modules');
    return [`${name}@${version}`, ...(existsSync(below) ? held(below) : [])];
  });
}
