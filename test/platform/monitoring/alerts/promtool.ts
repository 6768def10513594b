import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Case, Cases } from './cases.ts';
import { ruleFiles } from './rules.ts';

const promtool = process.env['GP_PROMTOOL'] ?? 'promtool';

/** Returns promtool's findings about the rules; empty when they are right. */
export function faultsOfRules(): Promise<string> {
  return run(['check', 'rules', ...ruleFiles]);
}

/** Returns promtool's findings when the alert is to fire on the one case and not on the other, all rules loaded. */
export async function faultsOfAlert(alert: string, { fires, quiet }: Cases): Promise<string> {
  const firing = { labels: '{}', value: 1 };
  return judge({
    rule_files: ruleFiles,
    evaluation_interval: '1m',
    tests: [buildTest(alert, fires, [firing]), buildTest(alert, quiet, [])],
  });
}

/** Returns promtool's findings when the series are to make the fast alert fire for this objective. */
export function faultsOfObjective(objective: string, { series, atMinute }: Case): Promise<string> {
  const expr = `count(ALERTS{alertname="GroupPaymentsBudgetBurnsFast", alertstate="firing"}) by (objective)`;
  const samples = [{ labels: `{objective="${objective}"}`, value: 1 }];
  return judge({
    rule_files: ruleFiles,
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [{ expr, eval_time: `${atMinute}m`, exp_samples: samples }],
      },
    ],
  });
}

function buildTest(alert: string, { series, atMinute }: Case, samples: readonly object[]): object {
  const expr = `min(ALERTS{alertname="${alert}", alertstate="firing"})`;
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr, eval_time: `${atMinute}m`, exp_samples: samples }],
  };
}

async function judge(test: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-alert-'));
  try {
    const file = join(folder, 'test.yaml');
    await writeFile(file, stringify(test));
    return await run(['test', 'rules', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(promtool, args, (error, output, errors) => resolve(error ? `${output}${errors}` : ''));
  });
}
