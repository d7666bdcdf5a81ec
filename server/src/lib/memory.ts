/** Interval at which memory outside of the heap is measured, and the size (garbage included) above which a collection is started. */
const CHECK_MS = 250;
const CEILING_BYTES = 96 * 1024 * 1024;
/** A collection is never started below this many times what was in use after the last one. */
const GROWTH = 1.5;
/** A process that needs less of a processor for so long has become idle. */
const IDLE_SHARE = 0.02;
const IDLE_MS = 10_000;

/**
 * What gives freed memory back to the system: glibc's `malloc_trim`, or nothing where the runtime or the system has none. Without it glibc
 * keeps it between blocks that are in use: after 200 uploads 200 MB, for good. Only for the server, whose flags silence the warning that
 * `node:ffi` is experimental.
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

/** A full collection, where the runtime offers it (`--expose-gc`, server/runtime-flags.json): 10 to 30 ms. */
export function collectGarbage(): void {
  globalThis.gc?.();
}

/**
 * Collects when there is much memory outside of the heap, or the process has become idle after work, and gives it back to the system. V8
 * counts buffers as used that its last collection is still freeing: after much garbage its limits allow 300 MB. Returns what ends that.
 */
export function keepMemoryLow(giveBack: () => void, { checkMs = CHECK_MS, ceilingBytes = CEILING_BYTES, idleMs = IDLE_MS } = {}) {
  let inUse = 0;
  let justCollected = false;
  let worked = false;
  let since = performance.now();
  let usedBefore = process.cpuUsage();

  /** True once after work: without work nothing else would collect. */
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
      // Only now the buffers are free, which other threads do.
      inUse = external;
      giveBack();
    }
    justCollected = !justCollected && (becameIdle() || external > Math.max(ceilingBytes, GROWTH * inUse));
    if (justCollected) collectGarbage();
  }, checkMs).unref();
  return (): void => clearInterval(timer);
}

/** Memory of WebAssembly, in steps of 64 KB: it begins at a page, and V8 keeps it out of forks. */
export const wasmMemory = (bytes: number): ArrayBuffer => new WebAssembly.Memory({ initial: bytes / (64 * 1024) }).buffer;
