import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@gp/bundled/opentelemetry';
import { renderMetrics } from './exposition.ts';
import { collectProcessMetrics, counter, gauge, registry, tracedHistogram } from './metrics.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';
import { currentTrace, span } from './tracing.ts';

const ASKED = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2';
let telemetry: Telemetry;

beforeAll(async () => {
  telemetry = await startTelemetry({
    service: 'test',
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })],
  });
});
afterAll(() => telemetry.close());

const latency = tracedHistogram({
  ...{ name: 'gp_test_latency_seconds', help: 'Latency', unit: 'seconds', labels: ['route'] },
});
const unsampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;
const listLines = async (accept: string, start: string) =>
  (await renderMetrics(accept)).text.split('\n').filter((line) => line.startsWith(start));

describe('exemplars', () => {
  it('a latency names the recorded trace that was last in its bucket, where OpenMetrics is asked for (Q45)', async () => {
    const ids = await span('request', {}, async () => {
      latency.observe({ route: '/a' }, 0.03);
      return currentTrace();
    });
    const [bucket] = await listLines(ASKED, 'gp_test_latency_seconds_bucket{le="0.05",route="/a"}');
    const exemplar = `# {trace_id="${ids?.trace_id}",span_id="${ids?.span_id}"} 0.03 `;
    expect(bucket).toContain(`{le="0.05",route="/a"} 1 ${exemplar}`);
    expect(exemplar.length).toBeLessThan(128);
    const [plain] = await listLines('text/plain', 'gp_test_latency_seconds_bucket{le="0.05",route="/a"}');
    expect(plain).toBe('gp_test_latency_seconds_bucket{le="0.05",route="/a"} 1');
  });

  it('a latency names no trace that is not recorded, and no trace at all outside one', async () => {
    await span('request', { traceparent: unsampled }, async () => latency.observe({ route: '/b' }, 0.03));
    latency.startTimer({ route: '/b' })();
    const lines = await listLines(ASKED, 'gp_test_latency_seconds_');
    expect(lines).toContain('gp_test_latency_seconds_count{route="/b"} 2');
    expect(lines.filter((line) => line.includes('route="/b"') && line.includes('#'))).toEqual([]);
  });
});

describe('the format', () => {
  it('OpenMetrics is a valid page: families named once, samples below their family, counters with _total, EOF at the end (Q45)', async () => {
    counter({ name: 'gp_test_opened_total', help: 'Opened', unit: 'things' }).inc(3);
    gauge({ name: 'gp_test_level', help: 'Level', unit: 'things' }).set(2);
    collectProcessMetrics();
    const { contentType, text } = await renderMetrics(ASKED);
    expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(text).toMatch(/# TYPE gp_test_opened counter\ngp_test_opened_total 3\n/);
    expect(text).toMatch(/[^\n]\n# EOF\n$/);
    const families: { name: string; type: string }[] = [];
    for (const line of text.split('\n').slice(0, -2)) {
      const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      if (name !== undefined && type !== undefined) families.push({ name, type });
      if (line.startsWith('#')) continue;
      const { name: family = '', type: kind = '' } = families.at(-1) ?? {};
      const suffix = /^[^{ ]+/.exec(line)?.[0].slice(family.length);
      expect([line.startsWith(family), SUFFIXES[kind]?.includes(suffix ?? '?')]).toEqual([true, true]);
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  it('a scrape as OpenMetrics changes nothing for one as text', async () => {
    const before = await renderMetrics('text/plain');
    await renderMetrics(ASKED);
    const after = await renderMetrics();
    expect(after.contentType).toBe(registry.contentType);
    expect(after.text).toContain('gp_test_opened_total 3');
    expect(after.text.match(/^# TYPE .*$/gm)).toEqual(before.text.match(/^# TYPE .*$/gm));
  });
});

/** What OpenMetrics lets follow on the name of a family, by its type. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};
