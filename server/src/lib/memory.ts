/** Interval at which memory outside the heap is measured, and its size (garbage included) above which a collection starts. */
const CHECK_MS = 250;
const CEILING_BYTES = 96 * 1024 * 1024;
/** A collection never starts below this multiple of the memory in use after the last one. */
const GROWTH = 1.5;
/** CPU share below which, and time after which, a process counts as idle. */
const IDLE_SHARE = 0.02;
const IDLE_MS = 10_000;

/**
 * Returns a function that gives freed memory back to the system: glibc's `malloc_trim`, or one that does nothing if runtime or system have
 * none. Otherwise glibc keeps memory between blocks in use: after 200 uploads 200 MB, for good. Only for the server, whose flags silence
 * the warning that `node:ffi` is experimental.
 */
export async function findTrim(): Promise<() => void> {
  try {
    const { dlopen } = await import('node:ffi');
    const { malloc_trim: trim } = dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } }).functions;
    return () => void trim(0n);
  } catch {
    return () => undefined;
  }
}

/** Runs a full collection if the runtime offers it (`--expose-gc`, server/runtime-flags.json): 10 to 30 ms. */
export function collectGarbage(): void {
  globalThis.gc?.();
}

/**
 * Collects garbage when there is much memory outside the heap, or the process has become idle after work, and gives it back to the system.
 * V8 counts buffers as used that its last collection is still freeing: after much garbage its limits allow 300 MB. Returns a function that
 * stops it.
 */
export function keepMemoryLow(giveBack: () => void, { checkMs = CHECK_MS, ceilingBytes = CEILING_BYTES, idleMs = IDLE_MS } = {}) {
  let inUse = 0;
  let justCollected = false;
  let worked = false;
  let since = performance.now();
  let usedBefore = process.cpuUsage();

  /** Returns true once after work: an idle process would not collect by itself. */
  function becameIdle(): boolean {
    const ms = performance.now() - since;
    if (ms < idleMs) return false;
    const { user, system } = process.cpuUsage(usedBefore);
    const wasWorking = worked;
    worked = (user + system) / 1000 > IDLE_SHARE * ms;
    since += ms;
    usedBefore = process.cpuUsage();
    return wasWorking && !worked;
  }

  const timer = setInterval(() => {
    const { external } = process.memoryUsage();
    if (justCollected) {
      // Other threads free the buffers, which takes until now.
      inUse = external;
      giveBack();
    }
    justCollected = !justCollected && (becameIdle() || external > Math.max(ceilingBytes, GROWTH * inUse));
    if (justCollected) collectGarbage();
  }, checkMs).unref();
  return (): void => clearInterval(timer);
}

/** Allocates memory of WebAssembly, in steps of 64 KB: it begins at a page, and V8 keeps it out of forks. */
export const wasmMemory = (bytes: number): ArrayBuffer => new WebAssembly.Memory({ initial: bytes / (64 * 1024) }).buffer;
