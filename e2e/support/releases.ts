import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { heicProgram, sharpProgram } from '../../server/src/images/create-decoder.ts';
import { FROM_SOURCES } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const HASH = /-([\w-]{8})\.(?:js|css|woff2|mp4)$/;
/** Files that are neither changed nor compressed. */
const BINARY = /\.(woff2|mp4)$/;

export interface Release {
  folder: string;
  /** Starts its server. */
  command: string[];
  /** Names of its built files, without compressed ones. */
  assets: string[];
}

/** Makes a folder for releases, side by side as in /opt. */
export async function releasesFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'feierbild-releases-')));
}

/** Copies this release under another version into `parent`; the files of its pages get other names and other content. */
export async function unpackRelease(parent: string, version: string): Promise<Release> {
  const folder = join(parent, `feierbild-${version}-linux-x64`);
  await cp(join(ROOT, 'server'), join(folder, 'server'), { recursive: true });
  for (const name of ['package.json', 'dist', 'dist-render']) {
    await cp(join(ROOT, 'web', name), join(folder, 'web', name), { recursive: true });
  }
  await symlink(join(ROOT, 'contract'), join(folder, 'contract'));
  // A decoder without a sandbox may read only its own packages, and no links to elsewhere.
  const own = new Set([sharpProgram, heicProgram].flatMap(({ packages }) => packages));
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(folder, 'node_modules', name)];
    await (own.has(name) ? cp(from, to, { recursive: true }) : symlink(from, to));
  }
  const assets = await renameAssets(join(folder, 'web/dist'), version);
  // The archive sets this mode; this machine's umask must not matter.
  for (const part of ['.', 'web', 'web/dist', 'web/dist/assets']) await chmod(join(folder, part), 0o755);
  return { folder, command: [...FROM_SOURCES.slice(0, -1), join(folder, 'server/src/main.ts')], assets };
}

/** Gives all built files the names and contents of another build; returns the names. */
async function renameAssets(dist: string, version: string): Promise<string[]> {
  const folder = join(dist, 'assets');
  const names = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name));
  const strange = names.filter((name) => !HASH.test(name));
  if (strange.length > 0) throw new Error(`the build names its files differently: ${strange.join(', ')}`);
  const renamed = new Map(
    names.map((name) => [name, name.replace(HASH, (end, hash: string) => end.replace(hash, hashOf(version + hash)))]),
  );
  const rename = (text: string): string => names.reduce((before, name) => before.replaceAll(name, renamed.get(name) as string), text);
  const manifest = join(dist, '.vite/manifest.json');
  await writeFile(manifest, rename(await readFile(manifest, 'utf8')));
  for (const [name, other] of renamed) {
    const bytes = await readFile(join(folder, name));
    const changed = BINARY.test(name) ? bytes : Buffer.from(`${rename(bytes.toString())}\n/* ${version} */`);
    for (const ending of ['', '.br', '.gz']) await rm(join(folder, name + ending), { force: true });
    await writeFile(join(folder, other), changed);
    if (BINARY.test(name)) continue;
    await writeFile(join(folder, `${other}.br`), brotliCompressSync(changed, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
    await writeFile(join(folder, `${other}.gz`), gzipSync(changed, { level: 1 }));
  }
  return [...renamed.values()];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
