/** Values for Prometheus in its text format 0.0.4: counters and histograms that are counted, gauges that are read when asked for. */

export type Labels = Record<string, string>;

export interface Reading {
  labels?: Labels;
  value: number;
}

export interface Metrics {
  /** Answers the function that counts one more. */
  counter(name: string, help: string): (labels?: Labels) => void;
  /** Answers the function that takes a value; `bounds` are the buckets' upper ends, ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels: Labels, value: number) => void;
  /** Readings at the time of asking; none where `read` throws. */
  gauge(name: string, help: string, read: () => Reading[] | Promise<Reading[]>): void;
  print(): Promise<string>;
}

export function createMetrics(): Metrics {
  const families: (() => Promise<string>)[] = [];
  const family = (name: string, help: string, type: string, lines: () => string[] | Promise<string[]>): void => {
    families.push(async () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(await lines())].join('\n'));
  };

  return {
    counter(name, help) {
      const counts = new Map<string, number>();
      family(name, help, 'counter', () => [...counts].map(([labels, count]) => `${name}${labels} ${count}`));
      return (labels = {}) => {
        const key = format(labels);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
      family(name, help, 'histogram', () =>
        [...series.values()].flatMap(({ labels, counts, sum, count }) => [
          ...bounds.map((bound, n) => `${name}_bucket${format({ ...labels, le: String(bound) })} ${counts[n]}`),
          `${name}_bucket${format({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${format(labels)} ${sum}`,
          `${name}_count${format(labels)} ${count}`,
        ]),
      );
      return (labels, value) => {
        const key = format(labels);
        const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
        series.set(key, one);
        for (const [n, bound] of bounds.entries()) if (value <= bound) one.counts[n] = (one.counts[n] ?? 0) + 1;
        one.sum += value;
        one.count += 1;
      };
    },
    gauge(name, help, read) {
      family(name, help, 'gauge', async () => {
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => []);
        return readings.map(({ labels = {}, value }) => `${name}${format(labels)} ${value}`);
      });
    },
    async print() {
      return `${(await Promise.all(families.map((lines) => lines()))).join('\n')}\n`;
    },
  };
}

function format(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
