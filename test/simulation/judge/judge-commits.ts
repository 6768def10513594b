import { checkGroup, Broken, keptTipsMinor } from '../../../services/group-ledger/test/model/promises.ts';
import { groupFromRows } from '../../../services/group-ledger/src/db/group/group.row.ts';
import type { Bundle } from '../store/ledger-tables.ts';
import type { Contradictions } from './contradiction.ts';

type Rows = Parameters<typeof groupFromRows>[0];

/** Judges a group after each commit: S1, S2, S5 and S6 of its rows, S8 of its postings, S10 of its events. */
export function judgeCommit(c: Contradictions, before: Bundle | undefined, after: Bundle): void {
  const { group, slots, intents, attempts, orders, postings, events } = after;
  const must = (holds: boolean, promise: string): void => c.must(holds, promise, `group ${group.id}`);
  try {
    const judged = groupFromRows({ group, slots, intents, attempts, orders } as unknown as Rows);
    checkGroup(judged);
    const booked = postings
      .filter(({ account }) => account === 'merchant:tips')
      .reduce((sum, leg) => sum + BigInt(leg.amount_minor), 0n);
    must(booked === keptTipsMinor(judged), 'S8 the account of tips is what the merchant has of them');
  } catch (error) {
    must(false, error instanceof Broken ? error.message : `the rows can be read: ${String(error)}`);
  }
  const entries = Map.groupBy(postings.slice(before?.postings.length ?? 0), ({ entry_id }) => entry_id);
  for (const legs of entries.values())
    must(legs.reduce((sum, leg) => sum + BigInt(leg.amount_minor), 0n) === 0n, 'S8 postings sum to zero');
  const numbers = events.map(({ sequence }) => sequence);
  must(
    numbers.every((number, at) => number === at + 1),
    'S10 events are numbered without a gap',
  );
  const paid = events.filter(
    ({ type }) => type === 'group_payment.paid' || type === 'group_payment.partially_paid',
  );
  const facts = paid.map(({ type, group_version }) => `${type} ${group_version}`);
  must(new Set(facts).size === facts.length, 'F6 a state is announced once for each version');
}
