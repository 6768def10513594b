import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../commands.ts';
import { root } from '../paths.ts';
import { renderValues, type Recording } from './recording.ts';

/** Names of the alerts that a drill is to raise, and of those that it may raise. */
export type Alerts = { readonly should: readonly string[]; readonly may: readonly string[] };

/** What the replay of a drill's metrics showed of alerts. */
export type Raised = {
  readonly fired: readonly string[];
  /** Those that should have fired. */
  readonly missing: readonly string[];
  /** Those that fired and may not. */
  readonly unexpected: readonly string[];
};

/** As often as Prometheus looks at rules here, s. */
const EVALUATED_EVERY = 15;
const folder = join(root, 'charts/group-payments/alerts');

/** Compares the alerts that fired with those of a drill. */
export function compareAlerts({ should, may }: Alerts, fired: readonly string[]): Raised {
  return {
    fired,
    missing: should.filter((name) => !fired.includes(name)),
    unexpected: fired.filter((name) => !should.includes(name) && !may.includes(name)),
  };
}

/** Replays the chart's alert rules on recorded metrics with promtool, which `GP_PROMTOOL` may name; returns the names of alerts that fired. */
export async function replay(recording: Recording): Promise<readonly string[]> {
  const files = (await readdir(folder)).map((file) => join(folder, file));
  const rules = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const names = [...rules.join('\n').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const output = await test(renderReplay(recording, files, names));
  const fired = names.filter((name) => output.includes(`alertname='${name}'`));
  if (output !== '' && fired.length === 0) throw new Error(`promtool could not replay the rules: ${output}`);
  return fired;
}

/** A test of rules in which no alert fires: each that does fails it. */
function renderReplay(recording: Recording, files: readonly string[], names: readonly string[]): object {
  const seconds = recording.looks * recording.everySeconds;
  const series = Object.entries(recording.series);
  return {
    rule_files: files,
    evaluation_interval: `${EVALUATED_EVERY}s`,
    tests: [
      {
        interval: `${recording.everySeconds}s`,
        input_series: series.map(([name, values]) => ({ series: name, values: renderValues(values) })),
        promql_expr_test: names.map((name) => ({
          expr: `count(max_over_time(ALERTS{alertname='${name}',alertstate='firing'}[${seconds}s]))`,
          eval_time: `${seconds - recording.everySeconds}s`,
          exp_samples: [],
        })),
      },
    ],
  };
}

/** Runs `promtool test rules`; returns what it says of tests that failed. */
async function test(rules: object): Promise<string> {
  const promtool =
    process.env['GP_PROMTOOL'] ?? run('sh', ['.configs/tools.sh', 'promtool'], { cwd: root }).trim();
  const place = await mkdtemp(join(tmpdir(), 'gp-replay-'));
  try {
    const file = join(place, 'test.yaml');
    // What is JSON is YAML.
    await writeFile(file, JSON.stringify(rules));
    return await new Promise((resolve) => {
      execFile(promtool, ['test', 'rules', file], { maxBuffer: 64 * 1024 * 1024 }, (error, output, errors) =>
        resolve(error ? `${output}${errors}` : ''),
      );
    });
  } finally {
    await rm(place, { recursive: true });
  }
}
