import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { hasFilter, openFilter } from './seccomp.ts';

/** How a decoder process is started. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Whether it runs in namespaces of its own; then bwrap writes its pid to INFO_FD and reads a filter from FILTER_FD. */
  isolated: boolean;
}

/** A program, and what it may see. */
export interface Program {
  /** Path of the script. */
  entry: string;
  /** npm packages that it loads. */
  packages: string[];
  /** Whether it loads native code. */
  addons: boolean;
}

/** A folder with the compiled modules of a program. A process that has seen no photo yet may fill it, all others only read it. */
export interface CodeCache {
  folder: string;
  writable: boolean;
}

/** Where bwrap writes `{"child-pid": …}`. */
export const INFO_FD = 4;
/** Where bwrap reads the filter of system calls. */
const FILTER_FD = 5;

const here = import.meta.dirname;
/** Says that the scripts are modules. */
const manifest = join(here, '../../package.json');
const SYSTEM_LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];
const PROBE_LIMIT_MS = 20_000;

const environment = {
  // Larger pictures libvips writes to a temporary file, for which the sandbox has no place.
  VIPS_DISC_THRESHOLD: '2g',
  // By default glibc gives each thread a heap of its own: 100 MB more.
  MALLOC_ARENA_MAX: '2',
};

/**
 * The command for a decoder process under Node's permission model and, if `isolated`, in user, process, network and file system
 * namespaces of its own. They hold nothing but Node, its libraries and this folder, all read-only, and a filter of system calls
 * allows no second process. Native code can step around the permission model, but not out of the namespaces.
 *
 * `cache` is for isolated processes: Node asks for the permission to write even where it only reads, and only the namespace's
 * mount is read-only.
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

/** Why decoders cannot be isolated, for the operator: the cause and a remedy. */
export interface IsolationFault {
  cause: string;
  remedy: string;
}

const NOT_INSTALLED: IsolationFault = {
  cause: 'bubblewrap ist nicht installiert',
  remedy:
    'Bitte installieren Sie bubblewrap (Debian: apt-get install bubblewrap) und erlauben Sie dem Dienst Namensräume (user namespaces)',
};
/** What bwrap says where the kernel, AppArmor or a container's rules stand against it. */
const DENIED = /namespace|[ug]id map|not permitted|permission denied|no permissions/i;
const ALLOW =
  'Bitte erlauben Sie dem Dienst Namensräume (user namespaces); auf Ubuntu ab 24.04 tut es deploy/apparmor/feierbild, in Containern der Kopf von deploy/Containerfile';
const MAX_SAID = 200;

/**
 * Null where this program starts and ends well in the sandbox on this system; then the folder `cache` has its compiled modules.
 * Blocks for some 200 ms: once, at the start.
 */
export function isolationFault(program: Program, cache: string | null = null): IsolationFault | null {
  if (!bubblewrap()) return NOT_INSTALLED;
  const { command, args, env } = launchOf(program, true, cache === null ? null : { folder: cache, writable: true });
  // With nothing on stdin, a decoder process says that it is ready and ends.
  const { status, stderr } = withStdio(['ignore', 'ignore', 'pipe', 'pipe'], true, (stdio) =>
    spawnSync(command, args, { env, stdio, timeout: PROBE_LIMIT_MS, killSignal: 'SIGKILL' }),
  );
  if (status === 0) return null;
  const said = String(stderr).trim().split('\n').at(-1)?.slice(0, MAX_SAID) || 'ohne Meldung';
  if (DENIED.test(said)) return { cause: `bubblewrap darf hier keine Namensräume anlegen („${said}“)`, remedy: ALLOW };
  return {
    cause: `Decoder starten in bubblewrap nicht („${said}“)`,
    remedy: 'Bitte prüfen Sie bubblewrap und installieren Sie Feierbild neu (npm ci)',
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

/** bwrap can since 0.8.0, unless it is installed setuid; found out once. The filter denies new namespaces, too. */
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

/** Where an environment without PATH is looked in, as a shell does. */
const STANDARD_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The path of bwrap. Looked up here, because the process itself gets no PATH. */
function bubblewrap(): string | undefined {
  const folders = (process.env['PATH'] ?? STANDARD_PATH).split(delimiter).filter(isAbsolute);
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
