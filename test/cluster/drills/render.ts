import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../paths.ts';
import type { Raised } from './alerts.ts';

/** What is published of a drill. */
export type Result = {
  readonly name: string;
  readonly does: string;
  readonly seconds: number;
  readonly requests: number;
  readonly failed: number;
  readonly stallMs: number;
  readonly paid: number;
  readonly unpaid: number;
  readonly missingWebhooks: number;
  readonly contradictions: number;
  /** Absent where the drill was played before metrics were recorded. */
  readonly alerts?: Raised;
  /** What it measured that other drills do not. */
  readonly told?: string;
  readonly isMet: boolean;
  /** Day and machine. */
  readonly played: string;
};

const INTRODUCTION = `# Drills

Written by \`npm run generate\` from \`test/cluster/drills/results.json\`, which \`npm run cluster -- drill\` updates: the chart in a real
Kubernetes on one machine ([what of it is a stand-in](../test/cluster/README.md)), while clients send 12 requests a second through the
ingress and payers pay groups. A missed goal stays in the table. Rows that name the only NATS server were played before the cluster had three.
`;

const NOTES = `- **failed**: requests without an answer or with one that is no success; what a client repeats counts each time.
- **stall**: the longest time in which no request succeeded.
- **unpaid**: groups that were not paid within two minutes.
- **goal**: no money, webhook or group is lost in any drill. When pods are replaced, no request fails and no stall exceeds 1 s; when processes
  are killed, 20 requests may fail; while a server with one copy is away, all may, for at most 10 s, and for 5 s after 20 s without a
  network. Until a lost node is noticed, 400 may fail, and something succeeds every 10 s.
- **fired**, **missing**, **unexpected**: alerts of the chart that fired when promtool replayed their rules on the metrics of all pods, read every
  5 s while the drill was played; those that should have fired and did not; those that fired and may not. An alert is for a person, and
  most of these losses need none: what waits for minutes before it fires does not fire here. A record of minutes makes rates over an hour
  look worse than a running installation has them, so that \`GroupPaymentsBudgetBurnsFast\` may fire wherever requests fail.
- **contradictions**: groups of which the gateways' books, the API and the ledger's promises say different things.
`;

function describeAlerts(alerts: Raised | undefined): string[] {
  if (alerts === undefined) return ['not recorded', '', ''];
  return [alerts.fired, alerts.missing, alerts.unexpected].map((names) =>
    names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', '),
  );
}

/** The page of drills, as Markdown. */
export async function renderDrills(results: readonly Result[], names: readonly string[]): Promise<string> {
  const header = ['drill', 'what is done', 'took', 'failed', 'stall', 'paid', 'unpaid'];
  const more = ['webhooks missing', 'contradictions', 'fired', 'missing', 'unexpected', 'goal', 'played'];
  const rows = results.map((one) => [
    `\`${one.name}\``,
    one.does,
    `${one.seconds} s`,
    `${one.failed} of ${one.requests}`,
    `${one.stallMs} ms`,
    String(one.paid),
    String(one.unpaid),
    String(one.missingWebhooks),
    String(one.contradictions),
    ...describeAlerts(one.alerts),
    one.isMet ? 'met' : 'missed',
    one.played,
  ]);
  const lines = [[...header, ...more], [...header, ...more].map(() => '---'), ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const style = await resolveConfig('drills.md', { config: join(root, '.configs/prettier.json') });
  const unplayed = names.filter((name) => !results.some((one) => one.name === name));
  const missing = unplayed.map((name) => `\`${name}\``).join(', ');
  const rest = unplayed.length > 0 ? [`Written, and not played so far: ${missing}.`] : [];
  const told = results.flatMap((one) => (one.told === undefined ? [] : `- \`${one.name}\`: ${one.told}.`));
  return format([INTRODUCTION, table, ...rest, ...told, NOTES].join('\n\n'), {
    ...style,
    parser: 'markdown',
  });
}
