import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { chart, root } from '../../processes.ts';

type Panel = {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly mappings?: readonly unknown[] } };
};

it('the panel of unfinished groups says that there may be more where the metric’s count ends', () => {
  const file = join(chart, 'dashboards/payments.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: readonly Panel[] };
  const panel = panels.find(({ targets = [] }) =>
    targets.some(({ expr }) => expr.includes('gp_unfinished_groups')),
  );
  const [, limit = ''] =
    /gp_unfinished_groups.*counted up to ([\d,]+)/.exec(readFileSync(join(root, 'k8s/metrics.md'), 'utf8')) ??
    [];
  expect(panel?.fieldConfig?.defaults.mappings).toEqual([
    {
      type: 'range',
      options: { from: Number(limit.replace(',', '')), to: null, result: { text: `${limit} or more` } },
    },
  ]);
});
