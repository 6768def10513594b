import type { Ran } from './world/run.ts';

export type Totals = {
  worlds: number;
  payments: number;
  held: number;
  faultedPayments: number;
  events: number;
  contradictions: number;
  readonly faults: Map<string, number>;
};

export const emptyTotals = (): Totals => ({
  ...{ worlds: 0, payments: 0, held: 0, faultedPayments: 0, events: 0, contradictions: 0 },
  faults: new Map(),
});

export function addRan(totals: Totals, { payments, held, faults, events, contradictions }: Ran): void {
  totals.worlds += 1;
  totals.payments += payments;
  totals.held += held;
  if (faults.size > 0) totals.faultedPayments += payments;
  totals.events += events;
  totals.contradictions += contradictions.length;
  for (const [kind, count] of faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints what a world showed, with the command that shows it again. */
export function printRan({
  seed,
  payments,
  groups,
  virtualMs,
  states,
  faults,
  contradictions,
  log,
}: Ran): void {
  for (const line of log) print(line);
  const hours = Math.round(virtualMs / 3_600_000);
  print(`seed ${seed}: ${groups} groups, ${payments} payments, ${hours} hours of simulated time`);
  print(`  groups: ${list(states)}`);
  print(`  faults: ${list(faults)}`);
  for (const { promise, about } of contradictions) print(`  CONTRADICTION ${promise}: ${about}`);
  if (contradictions.length > 0) print(`  again: npm run simulate -- --seed ${seed}`);
}

export function printTotals(totals: Totals, seconds: number): void {
  const { worlds, payments, held, faultedPayments, events, contradictions, faults } = totals;
  print(`faults: ${list(faults)}`);
  print(
    `${worlds} worlds, ${payments} payments (${faultedPayments} among faults, ${held} in the gateways' books), ${events} events`,
  );
  print(
    `${seconds.toFixed(1)} s: ${Math.round(payments / seconds)} payments/s, ${Math.round(events / seconds)} events/s`,
  );
  print(`${contradictions} contradictions`);
}

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';
