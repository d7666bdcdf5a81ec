import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** How a decoder process is started. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Whether it runs in namespaces of its own; then bwrap tells its pid on INFO_FD. */
  isolated: boolean;
}

/** Which program, and what it may see. */
export interface Program {
  /** Path of the script. */
  entry: string;
  /** npm packages that it loads. */
  packages: string[];
  /** Whether it loads native code. */
  addons: boolean;
}

/** Where bwrap writes `{"child-pid": …}`. */
export const INFO_FD = 4;

const here = import.meta.dirname;
/** Says that the scripts are modules. */
const manifest = join(here, '../../package.json');
const SYSTEM_LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];
const PROBE_TIMEOUT = 20_000;

const environment = {
  // Bytes a picture may take in memory before libvips wants a temporary file, which the sandbox has no place for.
  VIPS_DISC_THRESHOLD: '2g',
  // glibc would give each thread an arena: 100 MB more.
  MALLOC_ARENA_MAX: '2',
};

/**
 * The command for a decoder process under Node's permission model, and, if `isolated`, in an own user, process, network and
 * file system namespace that holds nothing but Node, the libraries and this folder, all read-only. (Native code can step
 * around the permission model, but not out of the namespace.)
 */
export function launchOf({ entry, packages, addons }: Program, isolated: boolean): Launch {
  const readable = [here, manifest, ...packages.map(packageFolder)];
  const node = ['--permission', ...(addons ? ['--allow-addons'] : []), ...readable.map((path) => `--allow-fs-read=${path}`), entry];
  if (!isolated) return { command: process.execPath, args: node, env: environment, isolated };
  const bwrap = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--as-pid-1',
    '--cap-drop',
    'ALL',
    '--info-fd',
    String(INFO_FD),
    ...SYSTEM_LIBRARIES.flatMap(mountLibraries),
    ...[process.execPath, ...readable].flatMap((path) => ['--ro-bind', path, path]),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
    process.execPath,
    ...node,
  ];
  return { command: bubblewrap() ?? 'bwrap', args: bwrap, env: environment, isolated };
}

/** Whether this program starts and ends well in the sandbox on this system. Blocks for some 200 ms: once, at the start. */
export function sandboxWorks(program: Program): boolean {
  if (!bubblewrap()) return false;
  const { command, args, env } = launchOf(program, true);
  // With nothing on stdin, a decoder process announces itself and ends.
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  const { status } = spawnSync(command, args, { env, stdio: [...stdio], timeout: PROBE_TIMEOUT, killSignal: 'SIGKILL' });
  return status === 0;
}

/** Looked for here, because the process itself gets no PATH. */
function bubblewrap(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path));
}

/** Distributions differ in which of the library folders are links. */
function mountLibraries(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return lstatSync(folder).isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** Where npm put a package (or a scope), as Node looks for it. */
function packageFolder(name: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) throw new Error(`package ${name} is not installed`);
  }
}
