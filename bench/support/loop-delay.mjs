// The server loads this script with --import. It writes the event loop's delay since the last SIGUSR2 to LOOP_DELAY_FILE.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.LOOP_DELAY_FILE;
if (file) {
  const histogram = monitorEventLoopDelay({ resolution: 5 });
  histogram.enable();
  process.on('SIGUSR2', () => {
    const cpu = process.cpuUsage();
    writeFileSync(
      file,
      JSON.stringify({
        p50: histogram.percentile(50) / 1e6,
        p99: histogram.percentile(99) / 1e6,
        max: histogram.max / 1e6,
        cpuSeconds: (cpu.user + cpu.system) / 1e6,
      }),
    );
    histogram.reset();
  });
}
