import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../support/stack.ts';
import { renderBreakdown, type Breakdown } from './breakdown/breakdown.ts';
import type { Figure } from './ratios.ts';

/** The last published value of one measure. */
export type Result = Pick<Figure, 'id' | 'what' | 'value' | 'goal'> & {
  /** `reached`, `missed`, or a short text. */
  readonly verdict: string;
  /** Day and machine. */
  readonly measured: string;
  /** CPU of each process, ms, where docs/sizing.md is computed from it. */
  readonly cpuMs?: Readonly<Record<string, number>>;
  /** The cost by process and layer; such a result has a table of its own. */
  readonly breakdown?: Breakdown;
};

const INTRODUCTION = `# Benchmarks

Written by \`npm run generate\` from \`test/bench/results.json\`, which \`npm run bench\` updates. Losing rows stay.

Each value is a ratio or a duration within one run: the platform and its references are measured in turn on one machine.
Medians, with the smallest and the largest value of the rounds in brackets. Compare ratios, not absolute figures: other jobs ran
on the shared machine in some runs.

Ids that begin with P number the performance goals of this project; other measures have names. They are unrelated to the
[cases](cases.md).
`;

const NOTES = `A create passes authentication, validation, the exact parsing of its amounts, two processes, the bus, the statement,
the outbox and the scheduler. Memory at rest is Node itself plus about 20 MB that loading the schema library takes in each process.

\`npm run bench\` measures everything; \`npm run bench -- --only create,hop\` measures some of it, and
\`npm run bench -- --only growth --groups 1000000\` grows one merchant's books further than the 100,000 groups it grows to otherwise. No
timing fails a build. What can be counted does: \`services/group-ledger/test/gates.component.test.ts\` counts the statements, round
trips and bytes of write-ahead log of a create, and \`test/journeys/payment-cost.journey.test.ts\` the statements, transactions and
messages of a whole payment.
`;

const BREAKDOWNS = `## Where the time goes

\`npm run bench -- --only breakdown\` measures the CPU of one piece of work by process and by layer, in µs; an idle stack's share is taken
off, and the gateways' sandbox is left out. The system says how much each process used, and a profile of the same work done once more (a sample each
0.5 ms) for what: a sample counts for the file of the function that ran, and a native function for the one that called it. Postgres and NATS have no
profile.
`;

/** The page of benchmarks, as Markdown. */
export async function renderBenchmarks(results: readonly Result[]): Promise<string> {
  const rows = results
    .filter(({ breakdown }) => !breakdown)
    .map(({ id, what, value, goal, verdict, measured }) =>
      [id, what, value, goal, verdict, measured].map((cell) => cell.replaceAll('|', '\\|')),
    );
  const header = ['id', 'measure', 'value', 'goal', 'result', 'measured'];
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const style = await resolveConfig('benchmarks.md', { config: join(root, '.configs/prettier.json') });
  const text = [INTRODUCTION, table.join('\n'), NOTES, ...renderBreakdowns(results)].join('\n\n');
  return format(text, { ...style, parser: 'markdown' });
}

/** The part of the page about layers; nothing before the first measurement. */
function renderBreakdowns(results: readonly Result[]): readonly string[] {
  const parts = results.flatMap(({ what, value, measured, breakdown }) =>
    breakdown
      ? [`### ${what[0]?.toUpperCase()}${what.slice(1)}: ${value} (${measured})`, renderBreakdown(breakdown)]
      : [],
  );
  return parts.length > 0 ? [BREAKDOWNS, ...parts] : [];
}
