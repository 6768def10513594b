import type { Db } from '@gp/pg';
import { metrics, type Level } from '@gp/telemetry';
import {
  findDifferingPayments,
  findHoldsWithoutGroup,
  findUnconfirmedVoids,
  findUnknownOutcomes,
  type ByMode,
} from '../../db/reconciliation/drift.ts';
import { countUnfinishedGroups } from '../../db/lookups/unfinished-groups.ts';
import { eachMode, eachPsp } from '../change/measured.ts';

/** These queries run twice a minute at most, whatever the number of scrapers; the one about ended groups once. */
const FRESH_MS = 30_000;
const RARELY_MS = 60_000;

const byMode = (rows: readonly ByMode[]): Level<'mode'>[] =>
  rows.map(({ mode, payments }) => ({ labels: { mode }, value: payments }));

/**
 * Exports the differences between ledger and gateways, and the groups that are not finished. Each replica exports
 * the same; without a database there is no figure. `freshMs` is the greatest age of a value.
 */
export function measureDrift(db: Db, freshMs = FRESH_MS, rarelyMs = RARELY_MS): void {
  metrics.levels({
    name: 'gp_drift_holds_without_group_payments',
    help: 'Holds that no living group counts, a minute after their release was ordered or their group ended',
    unit: 'payments',
    labels: ['mode'],
    zero: eachMode,
    read: metrics.cached(async () => byMode(await findHoldsWithoutGroup(db)), rarelyMs),
  });
  metrics.levels({
    name: 'gp_drift_voids_unconfirmed_payments',
    help: 'Releases ordered more than an hour ago that the gateway has not confirmed',
    unit: 'payments',
    labels: ['mode'],
    zero: eachMode,
    read: metrics.cached(async () => byMode(await findUnconfirmedVoids(db)), freshMs),
  });
  metrics.levels({
    name: 'gp_drift_books_differ_payments',
    help: 'Payments of which ledger and gateway disagree after three looks, until somebody explains it',
    unit: 'payments',
    labels: ['mode'],
    zero: eachMode,
    read: metrics.cached(async () => byMode(await findDifferingPayments(db)), freshMs),
  });
  metrics.levels({
    name: 'gp_unknown_outcome_payments',
    help: 'Payments of which it is not known whether the gateway did what it was asked for',
    unit: 'payments',
    labels: ['mode', 'psp_code', 'operation'],
    zero: eachPsp.flatMap((labels) =>
      ['authorise', 'capture', 'void', 'refund'].map((operation) => ({ ...labels, operation })),
    ),
    read: metrics.cached(
      async () =>
        (await findUnknownOutcomes(db)).map(({ payments, ...labels }) => ({ labels, value: payments })),
      freshMs,
    ),
  });
  metrics.levels({
    name: 'gp_unfinished_groups',
    help: 'Groups in each state that is not the last one, counted up to 100,000',
    unit: 'groups',
    labels: ['mode', 'state'],
    read: metrics.cached(
      async () =>
        (await countUnfinishedGroups(db)).map(({ groups, ...labels }) => ({ labels, value: groups })),
      freshMs,
    ),
  });
}
