import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Numbers of system calls (asm/unistd_64.h, asm-generic/unistd.h). */
interface SystemCalls {
  /** AUDIT_ARCH_… in linux/audit.h. */
  architecture: number;
  /** The call whose first argument distinguishes a thread from a process. */
  clone: number;
  /** The call whose flags are in memory, which a filter cannot read; the C library falls back to clone. */
  clone3: number;
  denied: number[];
}

const CALLS: Partial<Record<string, SystemCalls>> = {
  x64: {
    architecture: 0xc000003e,
    clone: 56,
    clone3: 435,
    // fork, vfork, memfd_create, shmget, ptrace, unshare, setns, userfaultfd, io_uring_setup, bpf
    denied: [57, 58, 319, 29, 101, 272, 308, 323, 425, 321],
  },
  arm64: {
    architecture: 0xc00000b7,
    clone: 220,
    clone3: 435,
    // memfd_create, shmget, ptrace, unshare, setns, userfaultfd, io_uring_setup, bpf
    denied: [279, 194, 117, 97, 268, 282, 425, 280],
  },
};

// Instructions of classic BPF (linux/bpf_common.h) and answers of linux/seccomp.h.
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
/** Offsets in struct seccomp_data. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const CLONE_THREAD = 0x0001_0000;
/** First number of the system calls of x64's other ABI. */
const X32 = 0x4000_0000;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

function program({ architecture, clone, clone3, denied }: SystemCalls): Buffer {
  const instructions: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, architecture],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, KILL],
    ...denied.flatMap((call): Instruction[] => [
      [IF_EQUAL, 0, 1, call],
      [RETURN, 0, 0, EPERM],
    ]),
    [IF_EQUAL, 0, 1, clone3],
    [RETURN, 0, 0, ENOSYS],
    [IF_EQUAL, 0, 3, clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_BITS, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, ifTrue, ifFalse, value], n) => {
    bytes.writeUInt16LE(code, n * 8);
    bytes.writeUInt8(ifTrue, n * 8 + 2);
    bytes.writeUInt8(ifFalse, n * 8 + 3);
    bytes.writeUInt32LE(value, n * 8 + 4);
  });
  return bytes;
}

/** There are filters for some architectures only. */
export const hasFilter = CALLS[process.arch] !== undefined;
let file: number | null = null;

/**
 * Opens the filter for bwrap (null on other architectures): the decoder may make threads, but no process, no namespace and no memory that
 * the watch over its resident memory would miss.
 */
export function openFilter(): number | null {
  const calls = CALLS[process.arch];
  if (!calls) return null;
  file ??= writeFilter(program(calls));
  // Each reader needs a file position of its own.
  return openSync(`/proc/self/fd/${file}`, 'r');
}

/** Writes a file without a name, so that nothing can remove or change it. */
function writeFilter(bytes: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'feierbild-filter-'));
  try {
    const path = join(folder, 'filter');
    writeFileSync(path, bytes, { mode: 0o400 });
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
