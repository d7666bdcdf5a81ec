import { readFileSync, rmSync } from 'node:fs';

interface Delays {
  p50: number;
  p99: number;
  max: number;
  /** CPU time since the start of the process. */
  cpuSeconds: number;
}

let cpuBefore = 0;

/** Reads event-loop delays of the server since the last call, ms, and CPU seconds since the last call. */
export async function readDelays(pid: number, file: string): Promise<Delays> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    try {
      const delays = JSON.parse(readFileSync(file, 'utf8')) as Delays;
      const cpuSeconds = delays.cpuSeconds - cpuBefore;
      cpuBefore = delays.cpuSeconds;
      return { ...delays, cpuSeconds };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
