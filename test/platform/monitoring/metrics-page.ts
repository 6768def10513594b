import { join } from 'node:path';
import { metrics } from '@gp/telemetry';
import type { Generated } from '@gp/testing';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { processes, root } from '../processes.ts';
import { declaredMetrics, type Declared } from './declared.ts';
import { objectiveRules } from './objectives.ts';

const OBJECTIVES = 'charts/group-payments/alerts/objectives.yaml';
const WRITTEN =
  '# Whether the goals of docs/operate.md are kept; written from test/platform/monitoring/objectives.ts by `npm run generate`.\n';

/** k8s/metrics.md: every metric of every process, from the code's own declarations; and the rules of the objectives. */
export async function generated(): Promise<Generated> {
  const style = await resolveConfig('metrics.md', { config: join(root, '.configs/prettier.json') });
  const text = [heading(), ownMetrics(declaredMetrics()), await processMetrics()].join('\n\n');
  return {
    folder: root,
    files: {
      'k8s/metrics.md': await format(text, { ...style, parser: 'markdown' }),
      [OBJECTIVES]: await format(WRITTEN + stringify(objectiveRules(), { lineWidth: 0 }), {
        ...style,
        parser: 'yaml',
      }),
    },
  };
}

const heading = (): string => `# Metrics

Written from the declarations in the sources by \`npm run generate\`.

Every process serves them at \`/metrics\` of its management port, each with the label \`service\`; the cluster adds
\`namespace\` and \`pod\`. Counters and histograms (\`_bucket\`, \`_sum\`, \`_count\`) are of one process: sum them. Gauges that are
looked up in the database or at the bus, such as backlogs, drift and lag, say the same in each replica: take their \`max\`;
they are NaN or missing while that server is away.`;

function ownMetrics(declared: readonly Declared[]): string {
  const rows = declared.map(({ name, kind, unit, labels, help, services }) => [
    `\`${name}\``,
    kind,
    unit,
    labels.map((label) => `\`${label}\``).join(', ') || '–',
    help,
    describeServices(services),
  ]);
  return `## Our own\n\n${table(['name', 'type', 'unit', 'labels', 'meaning', 'service'], rows)}`;
}

function describeServices(services: readonly string[]): string {
  const others = Object.keys(processes).filter((name) => !services.includes(name));
  if (others.length === 0) return 'all';
  return others.length < services.length ? `all but ${others.join(', ')}` : services.join(', ');
}

async function processMetrics(): Promise<string> {
  metrics.collectProcessMetrics();
  const known = new Set(metrics.documentedMetrics().map(({ name }) => name));
  const found = (await metrics.registry.getMetricsAsJSON()).filter(({ name }) => !known.has(name));
  const rows = found
    .map(({ name, type, help }) => [`\`${name}\``, String(type), help])
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
  return `## Of every process\n\n${table(['name', 'type', 'meaning'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|');
