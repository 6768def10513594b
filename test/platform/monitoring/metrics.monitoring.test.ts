import { describe, expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { cases } from './alerts/cases.ts';
import { expressions, rules } from './alerts/rules.ts';
import { boards, generated as dashboards } from './dashboards/generated.ts';
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

describe('what is written from the sources', () => {
  it('the dashboards equal what their sources generate', async () => {
    expect(await staleFiles(await dashboards())).toEqual([]);
  });

  it('the page of metrics lists today’s metrics, and the rules of objectives are those of their source', async () => {
    expect(await staleFiles(await page())).toEqual([]);
  });
});
