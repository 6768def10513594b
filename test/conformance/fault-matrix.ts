import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listCells, type Cell, type Fault } from './faults.ts';
import { converged, chooseJourney } from './journeys.ts';
import type { Page } from './ledger.ts';
import type { BookedPayment } from './sandbox.ts';
import type { Subject } from './subjects.ts';
import { openWorld, type World } from './world.ts';

/** Payments under way at once while the faults are played: two cores have enough to do with them. */
const AT_ONCE = 6;

/** Every fault on every operation: afterwards the ledger and the gateway agree. */
export function exerciseFaults(subject: Subject): void {
  describe(`${subject.psp} under faults`, () => {
    const cells = listCells(subject);
    const results = new Map<Cell, Promise<void>>();
    let world: World;

    beforeAll(async () => {
      world = await openWorld(subject, { patience: 2 });
      runAll(world, cells, results);
    }, 120_000);
    afterAll(async () => {
      await Promise.allSettled(results.values());
      await world?.close();
    }, 120_000);

    it.each(cells)(
      "the ledger's state equals what the gateway did: $operation $fault",
      async (cell) => {
        await results.get(cell);
      },
      240_000,
    );
  });
}

/** Starts every cell, a few at a time; each test then awaits its own. */
function runAll(world: World, cells: readonly Cell[], results: Map<Cell, Promise<void>>): void {
  const chains: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  cells.forEach((cell, i) => {
    const chain = i % AT_ONCE;
    const result = (chains[chain] ?? Promise.resolve()).then(() => play(world, cell));
    chains[chain] = result.catch(() => undefined);
    results.set(cell, result);
  });
}

async function play(world: World, cell: Cell): Promise<void> {
  const ticket = world.newPayment();
  await world.sandbox.setFault(world.subject.psp, ticket.intent_id, cell);
  await chooseJourney(cell.operation)(world, ticket);
  const { page, payments } = await converged(world, ticket);
  const held = payments.filter((payment) => payment.authorised_minor > 0);
  expect(held.length).toBeLessThanOrEqual(1);
  // An unknown outcome is never reported as a failure: after a refusal, the gateway holds nothing.
  if (page.hold === 'none') expect(held).toEqual([]);
  if (!REFUSALS.includes(cell.fault)) expect(refusalsIn(page)).toEqual([]);
  if (HIDDEN_EFFECTS.includes(cell.fault)) expect(listSends(cell, payments).length).toBeLessThanOrEqual(1);
}

/** Faults after which a gateway has said no, in so many words. */
const REFUSALS: readonly Fault[] = ['decline', 'async_failed'];

const refusalsIn = ({ outcomes }: Page): string[] =>
  outcomes
    .filter(({ status }) => status === 'failed' || status === 'declined')
    .map(({ operation, status }) => `${operation} ${status}`);

/** Faults that hide an effect: a query finds it, so the operation is never sent a second time. */
const HIDDEN_EFFECTS: readonly Fault[] = [
  'drop_response',
  'http_500_after_effect',
  'timeout_after_effect',
  'malformed',
];

/** Calls of an operation that reached the gateway, without repeats under the same key: it recognises those. */
const listSends = ({ operation }: Cell, payments: readonly BookedPayment[]): unknown[] =>
  ['capture', 'void', 'refund'].includes(operation)
    ? payments
        .flatMap(({ calls }) => calls)
        .filter((call) => call.operation === operation && call.outcome !== 'replayed')
    : [];
