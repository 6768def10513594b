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

\`npm run bench\` measures everything; \`npm run bench -- --only P3,hop\` measures the rows of a goal or by name, and
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

const MISSED = `## What holds the missed goals

- **Creates (P1, P2, P5, P10-ledger).** The edge and the ledger are two processes: 51 % of a create’s CPU is theirs, and Postgres has 22 %, NATS
  15 %, the scheduler, which stores the timer of the expiry, 10 %. In both processes Node's own timers, events and streams take more than our code.
  A ledger in the process of the edge would save what NATS, its clients and our bus library take, a fifth, and the streams and spans of a second process. Tried: creates in natural batches, one statement for a create with its outbox row, schemas compiled once, acknowledgements without a
  confirmation. All of it is in the product.
- **A whole payment (P6, P6-monolith, P6-rate).** Postgres holds a third, an adapter a fifth. A payment is 50 transactions
  in the schemas of its services: what a gateway was asked is stored before the question, its answer before the news of it, and each service that is told stores what it was told. The
  monolith of the comparison makes the same promises in one schema and tells nobody but the merchant. A payment alone takes 68 to 84 ms of CPU;
  two cores carried 25 to 30 a second together with payers, endpoints and the gateway, so one takes less under load. Tried, with the statements of a payment before and
  after: relays that mark with the next read (8.1, 4.0), deliveries claimed by the commit that stores them (21.7, 5.8), callbacks that repeat an answer
  stored without a query (39.6, 31.8), messages on the bus (63.9, 51.9), the lines of a
  request written to the log in one piece (7 % of a service's CPU, 3 %); decisions [43](decisions/0043-wakes-before-polls.md) and
  [63](decisions/0063-fewer-statements.md). Plans made once for all statements of the ledger, as the dispatcher has them, changed nothing (68.3 and 68.0 ms). What is left are the commits of the guarantees.
- **Deliveries (P3).** A delivery takes the dispatcher 0.6 of its CPU and Postgres 0.4. A seventh was cryptography when it was measured: two signatures, and the secret of the
  endpoint, which is opened for each. The references make both signatures with one
  secret that is at hand, and keep the status of the answer; they keep no log of attempts with headers and times, no order within a group and no share
  for each endpoint. Tried: a claim in the commit that stores the delivery, results in batches of up to 100, statements planned once, and since
  then keys that are imported once (opening a secret takes 13 instead of 50 µs, signing 18 instead of 57 µs).
- **Due timers (P9b, P9c).** The references run the work in the process that claimed it. Here the owner is another service: a timer is published,
  received and acknowledged before it is gone. Claims and marks are made in batches; the relay's rate without timers is 26,000 messages a second.
- **Another holder of a link (link-holder).** Nobody is refused. Until its bursts are used up, some seconds, the requests of the other one are work on
  the same two cores as those of everybody. After that most of them are refused before they cost anything: the ratio was 3.2 at first and 1.3 to 2.0 later.
- **Within the noise of a run (P4, P13-ledgers, beside-25-a-second, beside-captures, rolling-restart).** Two cores also run payers, endpoints and the gateway, and browser
  tests of another job ran beside the first ten minutes of this run. The full run before it on the same day reached all five (0.98 with 0.92 to 1.06, ×1.83 and ×3.27, 1.27, 1.26, 1.48),
  and missed two that this one reached (P11-tail 4.4, beside-prepares 1.72).
- **One merchant at a slow gateway (P14).** The machine is the limit, as of P6-rate: 25 payments a second, whose gateway keeps each call for 200 ms. Figures of November, 10 a second, were the adapter's own limit of
  20 calls a second for an account, which the measure had not raised. Operators raise it for single merchants with \`MERCHANT_LIMITS\`.
- **Memory (P15) and the idle stack (P15-idle).** Each process has Node and its schemas. Loops rest up to ten seconds; a quarter of what is left is NATS. Tried: modules in bundles, garbage of the start collected at its end (3 to 17 MB
  less), bundles with one byte for each character (1 to 3 MB, taken out again), schemas compiled with their first value, waking instead of polling (13.5 % of a core
  before, 2.2 to 2.6 % after).
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
  return parts.length > 0 ? [BREAKDOWNS, ...parts, MISSED] : [];
}
