import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

it('metrics are printed in the text format of Prometheus', async () => {
  const metrics = createMetrics();
  const count = metrics.counter('a_total', 'Things.');
  const observe = metrics.histogram('b_seconds', 'Time.', [0.1, 1]);
  metrics.gauge('c', 'Now.', async () => [{ value: 3 }, { labels: { x: 'say "hi"\\\n' }, value: 0.5 }]);
  metrics.gauge('d', 'Broken.', () => {
    throw new Error('away');
  });
  count({ code: 'x' });
  count({ code: 'x' });
  count();
  observe({ route: '/a' }, 0.05);
  observe({ route: '/a' }, 0.5);
  observe({ route: '/a' }, 5);
  expect(await metrics.print()).toBe(
    [
      '# HELP a_total Things.',
      '# TYPE a_total counter',
      'a_total{code="x"} 2',
      'a_total 1',
      '# HELP b_seconds Time.',
      '# TYPE b_seconds histogram',
      'b_seconds_bucket{route="/a",le="0.1"} 1',
      'b_seconds_bucket{route="/a",le="1"} 2',
      'b_seconds_bucket{route="/a",le="+Inf"} 3',
      'b_seconds_sum{route="/a"} 5.55',
      'b_seconds_count{route="/a"} 3',
      '# HELP c Now.',
      '# TYPE c gauge',
      'c 3',
      'c{x="say \\"hi\\"\\\\\\n"} 0.5',
      '# HELP d Broken.',
      '# TYPE d gauge',
      '',
    ].join('\n'),
  );
});
