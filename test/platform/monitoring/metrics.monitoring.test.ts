import { describe, expect, it } from '@jest/globals';
import { httpServerSpan, messageSpan, rpcSpan } from '@gp/telemetry';
import { staleFiles } from '@gp/testing';
import { cases } from './alerts/cases.ts';
import { expressions, rules } from './alerts/rules.ts';
import { boards, generated as dashboards } from './dashboards/generated.ts';
import { buildDashboard } from './dashboards/grafana.ts';
import { declaredMetrics } from './declared.ts';
import { metricsIn } from './dashboards/queries.ts';
import { generated as page } from './metrics-page.ts';
import { repository } from './repository.ts';
import { faultOfRunbook } from './runbooks.ts';

const panels = boards.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
const ofEveryProcess = /^(process|nodejs)_/;
const ours = new Set(
  declaredMetrics().flatMap(({ name, kind }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
const unknownIn = (expr: string): string[] =>
  metricsIn(expr).filter((name) => !ours.has(name) && !ofEveryProcess.test(name));

describe('every alert', () => {
  it('every alert has a test that makes it fire and one that keeps it quiet', () => {
    expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  it.each(rules)(
    '$alert states its severity, its condition, and the page with the actions',
    ({ labels, annotations }) => {
      expect(Object.keys(annotations).toSorted()).toEqual(['description', 'runbook_url', 'summary']);
      expect(labels['severity']).toMatch(/^(critical|warning|info)$/);
      expect(faultOfRunbook(annotations['runbook_url'] ?? '')).toBeUndefined();
    },
  );

  it('every alert and every recorded series queries metrics that exist', () => {
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });
});

describe('every panel', () => {
  it('every panel has a description, and queries metrics that exist', () => {
    expect(panels.filter(({ about }) => about === '')).toEqual([]);
    expect(panels.flatMap(({ queries }) => queries.flatMap(([expr]) => unknownIn(expr)))).toEqual([]);
  });

  it('every panel with a runbook links to one', () => {
    const links = panels.flatMap(({ runbook }) => (runbook ? `${repository}/${runbook}` : []));
    expect(links.length).toBeGreaterThan(20);
    expect(links.flatMap((link) => faultOfRunbook(link) ?? [])).toEqual([]);
  });
});

type Shown = {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly exemplar?: boolean }[];
  readonly fieldConfig?: { readonly defaults: { readonly links?: readonly { readonly url: string }[] } };
};
const shown = boards.flatMap((board) => (buildDashboard(board).panels ?? []) as readonly Shown[]);

/** Reads the question behind the link of a panel's point, as Grafana opens it with these values of variables. */
function readTraceQuery(title: string, values: Readonly<Record<string, string>>): string {
  const [link] = shown.find((panel) => panel.title === title)?.fieldConfig?.defaults.links ?? [];
  const filled = (link?.url ?? '').replaceAll(/\$\{([^}]+)\}/g, (_variable, path: string) => {
    const [name = '', format] = path.split(':');
    const value = values[name.replace('__field.labels.', '')];
    if (value === undefined) throw new Error(`${title} asks for ${name}`);
    return format === 'percentencode' ? encodeURIComponent(value) : value;
  });
  const panes = new URL(filled, 'http://grafana.example').searchParams.get('panes') ?? '';
  expect(JSON.parse(panes)).toMatchObject({
    traces: {
      datasource: 'tempo-1',
      queries: [{ datasource: { type: 'tempo', uid: 'tempo-1' }, queryType: 'traceql' }],
      range: { from: '1000', to: '2000' },
    },
  });
  return (JSON.parse(panes) as { traces: { queries: [{ query: string }] } }).traces.queries[0].query;
}

describe('a latency and its traces', () => {
  const point = { traces: 'tempo-1', __from: '1000', __to: '2000', '__value.raw': '0.25' };

  it('every percentile of a latency with exemplars shows them and links to traces, and no other query asks for them', () => {
    const traced = declaredMetrics().flatMap(({ name, hasExemplars }) =>
      hasExemplars ? [`${name}_bucket`] : [],
    );
    expect(traced).toHaveLength(4);
    for (const { title, targets = [], fieldConfig } of shown)
      for (const { expr, exemplar = false } of targets) {
        const isTraced = metricsIn(expr).some((name) => traced.includes(name));
        const links = fieldConfig?.defaults.links?.length ?? 0;
        expect({ title, exemplar, links }).toEqual({ title, exemplar: isTraced, links: isTraced ? 1 : 0 });
      }
  });

  it('every board has a variable for the data source of traces', () => {
    for (const board of boards)
      expect(buildDashboard(board).templating?.list).toContainEqual(
        expect.objectContaining({ name: 'traces', type: 'datasource', query: 'tempo' }),
      );
  });

  it('a point of a route or a subject links to the spans that have its name and took as long', () => {
    const [method, route, subject] = ['POST', '/v1/group-payments/:id/pay', 'evt.ledger.group.created.v1'];
    const request = httpServerSpan({ method, route, path: '/' });
    expect(readTraceQuery('Slowest routes, p99', { ...point, method, route })).toBe(
      `{ kind = ${request.kind} && name = "${request.name}" && duration >= 0.25s }`,
    );
    const [answered, processed] = [rpcSpan('server', subject), messageSpan('consumer', { subject, id: '1' })];
    expect(readTraceQuery('Slowest handlers, p99', { ...point, subject })).toBe(
      `{ (kind = ${answered.kind} && name = "${answered.name}" || name = "${processed.name}") && duration >= 0.25s }`,
    );
  });

  it('a point of a gateway or of webhooks links to the spans of their calls', () => {
    expect(readTraceQuery('Latency of all calls', { ...point, gateway: '(gateway_a|gateway_b)' })).toBe(
      '{ span.gp.psp_code =~ "(gateway_a|gateway_b)" && name =~ "gateway_[a-z]+ [a-z]+" && duration >= 0.25s }',
    );
    const labels = { psp_code: 'gateway_b', operation: 'capture' };
    expect(readTraceQuery('Latency by operation, p95', { ...point, ...labels })).toBe(
      '{ name = "gateway_b capture" && duration >= 0.25s }',
    );
    expect(readTraceQuery('Time of an attempt', point)).toBe(
      '{ name = "webhook attempt" && duration >= 0.25s }',
    );
  });
});

describe('what is written from the sources', () => {
  it('the dashboards equal what their sources generate', async () => {
    expect(await staleFiles(await dashboards())).toEqual([]);
  });

  it('the page of metrics lists today’s metrics, and the rules of objectives are those of their source', async () => {
    expect(await staleFiles(await page())).toEqual([]);
  });
});
