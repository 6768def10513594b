import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failPoints } from '@gp/gateway';
import { outboxFailPoints } from '@gp/outbox';
import { eventually } from '@gp/testing';
import { converged, chooseJourney } from './journeys.ts';
import type { Running } from './processes.ts';
import type { Subject } from './subjects.ts';
import { openWorld, type World } from './world.ts';

/**
 * Kills the adapter (kill -9) before and after every commit, call and publish while one payment is captured and
 * refunded and another one is released. It comes back by itself, and both end as if nothing had happened.
 */
export function exerciseCrashes(subject: Subject): void {
  describe(`${subject.psp} killed in the middle`, () => {
    let world: World;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'group-payments-crash-'));
      world = await openWorld(subject, { patience: 1 });
    }, 120_000);
    afterAll(async () => {
      await world?.close();
      await rm(folder, { recursive: true });
    }, 60_000);

    it.each(listPoints(subject))(
      'a crash at %s loses nothing and doubles nothing',
      async (point) => {
        const adapter = await world.restartAdapter({
          GP_FAIL_POINT: point,
          GP_FAIL_POINT_ONCE_FILE: join(folder, 'died'),
        });
        // On a busy machine a payment may be released before it comes to the point: others follow it then.
        for (let round = 0; round < MOST_ROUNDS && adapter.deaths() === 0; round += 1) {
          await Promise.all([liveThrough(world, 'refund'), liveThrough(world, 'void')]);
          await afterDeath(adapter);
        }
        expect(adapter.deaths()).toBe(1);
      },
      300_000,
    );

    if (!subject.lacks.includes('refunds'))
      it('a refund that a killed adapter left unknown stays unknown when its repeat is postponed (R4)', async () => {
        const ticket = world.newPayment();
        await chooseJourney('callback')(world, ticket);
        const busy = { operation: 'refund', fault: 'rate_limit' };
        await world.sandbox.setFault(subject.psp, ticket.intent_id, busy);
        await world.restartAdapter({
          GP_FAIL_POINT: `${subject.psp}.refund-call.before`,
          GP_FAIL_POINT_ONCE_FILE: join(folder, 'put-off'),
        });
        await world.ledger.order(ticket, 'refund');
        const page = await world.ledger.until(ticket, ({ refundedMinor }) => refundedMinor === 1_500);
        const told = page.outcomes.filter(({ operation }) => operation === 'refund');
        expect(told[0]?.status).toBe('unknown');
        await converged(world, ticket);
      }, 240_000);

    if (!subject.lacks.includes('later'))
      it('a capture that the scheme reversed after its adapter was killed is reported as failed, and sent once (D6)', async () => {
        const ticket = world.newPayment();
        // On a busy machine a call may be given up before the gateway plays it: the fault is still there for its repeat.
        const reversed = { operation: 'capture', fault: 'async_failed', times: 9 };
        await world.sandbox.setFault(subject.psp, ticket.intent_id, reversed);
        await world.restartAdapter({
          GP_FAIL_POINT: `${subject.psp}.capture-call.after`,
          GP_FAIL_POINT_ONCE_FILE: join(folder, 'taken-back'),
        });
        await chooseJourney('capture')(world, ticket);
        const { page, payments } = await converged(world, ticket);
        expect(page.capturedMinor).toBe(0);
        expect(page.outcomes.filter(({ status }) => status === 'captured')).toEqual([]);
        const calls = payments.flatMap((payment) => payment.calls);
        const played = calls.filter(
          ({ operation, outcome }) => operation === 'capture' && outcome !== 'replayed',
        );
        expect(played).toHaveLength(1);
      }, 240_000);

    // Only where the authorisation is a call of ours can we die over it.
    if (subject.authorisesFrom === 'server')
      it('a hold whose adapter was killed is reported although nothing queries it and no callback comes', async () => {
        const point = `${subject.psp}.authorise-call.after`;
        await world.restartAdapter({
          GP_FAIL_POINT: point,
          GP_FAIL_POINT_ONCE_FILE: join(folder, 'unasked'),
        });
        const ticket = world.newPayment();
        const lost = { operation: 'callback', fault: 'lose', times: 9 };
        await world.sandbox.setFault(subject.psp, ticket.intent_id, lost);
        await world.pay(ticket, await world.prepare(ticket));
        await eventually(() => world.ledger.page(ticket).hold === 'held' || undefined);
      }, 240_000);
  });
}

const MOST_ROUNDS = 4;

/** A callback may be faster than the call it is about, which then dies a moment later; resolves without a death as well. */
async function afterDeath(adapter: Running): Promise<void> {
  await eventually(() => adapter.deaths() > 0 || undefined, { withinMs: 5_000 }).catch(() => undefined);
}

async function liveThrough(world: World, operation: 'refund' | 'void'): Promise<void> {
  const ticket = world.newPayment();
  await chooseJourney(operation)(world, ticket);
  const { payments } = await converged(world, ticket);
  expect(payments.filter(({ authorised_minor }) => authorised_minor > 0).length).toBeLessThanOrEqual(1);
  const effects = payments.flatMap(({ calls }) => calls).filter(({ outcome }) => outcome === 'ok');
  for (const effect of ['capture', 'refund', 'void'])
    expect(effects.filter((call) => call.operation === effect).length).toBeLessThanOrEqual(1);
}

/** The points a gateway really passes: the browser's authorises are no calls of ours, and the other way round. */
function listPoints({ psp, authorisesFrom }: Subject): string[] {
  // Books are not compared here: the crash matrix does that.
  const foreign =
    authorisesFrom === 'server' ? /^prepare|^books-read/ : /^authorise|^outcome-record|^books-read/;
  return [
    ...failPoints.filter((point) => !foreign.test(point)).map((point) => `${psp}.${point}`),
    ...outboxFailPoints,
  ];
}
