import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { INSTALL_AGAIN } from '../lib/software.ts';
import { hasFilter, openFilter } from './seccomp.ts';

/** Command that starts a decoder process. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** The process runs in its own namespaces: bwrap writes its pid to INFO_FD and reads a filter from FILTER_FD. */
  isolated: boolean;
}

/** A program and the code that it may read. */
export interface Program {
  /** Path of the script. */
  entry: string;
  /** Loaded npm packages. */
  packages: string[];
  /** The program loads native code. */
  addons: boolean;
}

/** A folder with the compiled modules of a program. A process that has seen no photo yet may fill it; all others only read it. */
export interface CodeCache {
  folder: string;
  writable: boolean;
}

/** File descriptor to which bwrap writes `{"child-pid": …}`. */
export const INFO_FD = 4;
/** File descriptor from which bwrap reads the filter of system calls. */
const FILTER_FD = 5;

const here = import.meta.dirname;
/** package.json, which declares the scripts as modules. */
const manifest = join(here, '../../package.json');
const SYSTEM_LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];
const PROBE_LIMIT_MS = 20_000;

const environment = {
  // libvips writes larger pictures to a temporary file, for which the sandbox has no place.
  VIPS_DISC_THRESHOLD: '2g',
  // By default glibc gives each thread a heap of its own: 100 MB more.
  MALLOC_ARENA_MAX: '2',
};

/**
 * Builds the command for a decoder process under Node's permission model and, if `isolated`, in its own user, process, network and file
 * system namespaces. They contain only Node, its libraries and this folder, all read-only; a filter of system calls prevents a second
 * process. Native code can step around the permission model, but not out of the namespaces. `cache` is for isolated processes: Node demands
 * write permission even for reading it, and the namespace's read-only mount protects it.
 */
export function launchOf({ entry, packages, addons }: Program, isolated: boolean, cache: CodeCache | null = null): Launch {
  const readable = [here, manifest, ...packages.map(packageFolder)];
  const node = ['--permission', ...(addons ? ['--allow-addons'] : []), ...readable.map((path) => `--allow-fs-read=${path}`)];
  if (!isolated) return { command: process.execPath, args: [...node, entry], env: environment, isolated };
  const bwrap = [
    '--unshare-all',
    ...(canDisableUserNamespaces() ? DISABLE_USER_NAMESPACES : []),
    ...(hasFilter ? ['--seccomp', String(FILTER_FD)] : []),
    '--die-with-parent',
    '--new-session',
    '--as-pid-1',
    '--cap-drop',
    'ALL',
    '--info-fd',
    String(INFO_FD),
    ...SYSTEM_LIBRARIES.flatMap(mountLibraries),
    ...[process.execPath, ...readable].flatMap((path) => ['--ro-bind', path, path]),
    ...(cache ? [cache.writable ? '--bind' : '--ro-bind', cache.folder, cache.folder] : []),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
    process.execPath,
    ...node,
    ...(cache ? [`--allow-fs-read=${cache.folder}`, `--allow-fs-write=${cache.folder}`] : []),
    entry,
  ];
  const env = cache ? { ...environment, NODE_COMPILE_CACHE: cache.folder } : environment;
  return { command: bubblewrap() ?? 'bwrap', args: bwrap, env, isolated };
}

/** Cause and remedy of a missing sandbox, in German for the operator. */
export interface IsolationFault {
  cause: string;
  remedy: string;
}

const NOT_INSTALLED: IsolationFault = {
  cause: 'bubblewrap ist nicht installiert',
  remedy:
    'Bitte installieren Sie bubblewrap (Debian: apt-get install bubblewrap) und erlauben Sie dem Dienst Namensräume (user namespaces)',
};
/** Messages of bwrap if the kernel, AppArmor or a container's rules forbid namespaces. */
const DENIED = /namespace|[ug]id map|not permitted|permission denied|no permissions/i;
const ALLOW =
  'Bitte erlauben Sie dem Dienst Namensräume (user namespaces); auf Ubuntu ab 24.04 tut es deploy/apparmor/feierbild, in Containern der Kopf von deploy/Containerfile';
const MAX_SAID = 200;

/**
 * Tries whether this program starts and ends well in the sandbox; null: it does, and the folder `cache` has its compiled modules. Blocks
 * for some 200 ms: once, at the start.
 */
export function isolationFault(program: Program, cache: string | null = null): IsolationFault | null {
  if (!bubblewrap()) return NOT_INSTALLED;
  const { command, args, env } = launchOf(program, true, cache === null ? null : { folder: cache, writable: true });
  // With an empty stdin, a decoder process reports that it is ready and ends.
  const { status, stderr } = withStdio(['ignore', 'ignore', 'pipe', 'pipe'], true, (stdio) =>
    spawnSync(command, args, { env, stdio, timeout: PROBE_LIMIT_MS, killSignal: 'SIGKILL' }),
  );
  if (status === 0) return null;
  const said = String(stderr).trim().split('\n').at(-1)?.slice(0, MAX_SAID) || 'ohne Meldung';
  if (DENIED.test(said)) return { cause: `bubblewrap darf hier keine Namensräume anlegen („${said}“)`, remedy: ALLOW };
  return {
    cause: `Decoder starten in bubblewrap nicht („${said}“)`,
    remedy: `Bitte prüfen Sie bubblewrap. ${INSTALL_AGAIN}`,
  };
}

export const sandboxWorks = (program: Program, cache: string | null = null): boolean => isolationFault(program, cache) === null;

/** Calls `start` with the first four streams of a launch and, if `isolated`, those of bwrap. */
export function withStdio<T>(streams: ('pipe' | 'ignore')[], isolated: boolean, start: (stdio: StdioOptions) => T): T {
  const filter = isolated ? openFilter() : null;
  try {
    return start(isolated ? [...streams, 'pipe', filter ?? 'ignore'] : streams);
  } finally {
    if (filter !== null) closeSync(filter);
  }
}

const DISABLE_USER_NAMESPACES = ['--unshare-user', '--disable-userns'];
let disables: boolean | null = null;

/**
 * Tells whether bwrap can disable user namespaces: since 0.8.0, unless it is setuid. Checked once. The filter denies new namespaces, too.
 */
function canDisableUserNamespaces(): boolean {
  const args = [...DISABLE_USER_NAMESPACES, '--ro-bind', '/', '/', process.execPath, '--version'];
  return (disables ??= spawnSync(bubblewrap() ?? 'bwrap', args, { stdio: 'ignore', timeout: PROBE_LIMIT_MS }).status === 0);
}

/** Decoders cannot be isolated on this system; the message is for the operator. */
export class IsolationMissing extends Error {
  constructor({ cause, remedy }: IsolationFault) {
    super(
      `DECODER_ISOLATION: Die Bild-Decoder lassen sich auf diesem System nicht isolieren: ${cause}. ${remedy}; ` +
        'mit DECODER_ISOLATION=best startet Feierbild auch ohne Abschottung.',
    );
  }
}

/** Search path if the environment has no PATH, as in shells. */
const STANDARD_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Finds the path of bwrap, because the process itself gets no PATH. */
function bubblewrap(): string | undefined {
  const folders = (process.env['PATH'] ?? STANDARD_PATH).split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path));
}

/** Mounts a library folder; distributions make different ones of them links. */
function mountLibraries(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return lstatSync(folder).isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** Finds the folder of an npm package (or a scope), as Node does. */
function packageFolder(name: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) throw new Error(`package ${name} is not installed`);
  }
}
