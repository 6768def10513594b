import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gp/testing';
import { converged } from './journeys.ts';
import type { Ticket } from './ledger.ts';
import { answerBank, SECURED_CARD } from './payers.ts';
import type { Subject } from './subjects.ts';
import { openWorld, type World } from './world.ts';

const RETURN_URL = 'https://shop.example/orders/42';

/** An adapter's promises for a card that our server authorises and whose issuer sends the payer to a page of its own. */
export function exerciseChallenges(subject: Subject): void {
  describe(`${subject.psp} with a payer who is awaited at the bank`, () => {
    let world: World;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'group-payments-challenge-'));
      world = await openWorld(subject, { patience: 4 });
    }, 120_000);
    afterAll(async () => {
      await world?.close();
      await rm(folder, { recursive: true });
    }, 120_000);

    const confirm = async (ticket: Ticket) =>
      world.pay(ticket, await world.prepare(ticket), SECURED_CARD, { returnUrl: RETURN_URL });
    const challenged = async (fault?: string) => {
      const ticket = world.newPayment();
      if (fault !== undefined)
        await world.sandbox.setFault(subject.psp, ticket.intent_id, {
          operation: 'callback',
          fault,
          times: 9,
        });
      const { page = '' } = await confirm(ticket);
      await world.ledger.until(ticket, ({ hold }) => hold === 'authenticating');
      return { ticket, page };
    };
    const goTo = (address: string) => fetch(address, { redirect: 'manual' });
    const findReturn = ({ attempt_id }: Ticket): string =>
      `${world.callbackUrl.replace('/callbacks/', '/returns/')}/${attempt_id}`;

    it('the payer returns to the page of the confirm, and the hold is reported (Q51)', async () => {
      const { ticket, page } = await challenged();
      const back = await goTo(await answerBank(page, 'authenticated'));
      expect([back.status, back.headers.get('location')]).toEqual([303, RETURN_URL]);
      await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      await converged(world, ticket);
    });

    it('a repeated confirm names the same page, and reports the hold once there is one (Q51, Q13)', async () => {
      const { ticket, page } = await challenged();
      expect(await confirm(ticket)).toMatchObject({ page });
      await answerBank(page, 'authenticated');
      await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      expect(await confirm(ticket)).toEqual({});
      const { payments } = await converged(world, ticket);
      expect(payments).toHaveLength(1);
    });

    it('a payer who fails at the bank has a card that is refused (Q51)', async () => {
      const { ticket, page } = await challenged();
      await answerBank(page, 'failed');
      const { outcomes } = await world.ledger.until(ticket, ({ hold }) => hold === 'none');
      expect(outcomes.at(-1)?.failure).toEqual({
        code: 'authentication_required',
        message: 'the card holder was not authenticated',
        retryable: false,
      });
    });

    it('a return without a result leaves the payment open; the next return finds the hold without a callback (Q51, R5)', async () => {
      const { ticket, page } = await challenged('lose');
      const early = await goTo(findReturn(ticket));
      expect([early.status, early.headers.get('location')]).toEqual([303, RETURN_URL]);
      expect((await goTo(findReturn(world.newPayment()))).status).toBe(404);
      expect(world.ledger.page(ticket).hold).toBe('authenticating');
      await answerBank(page, 'authenticated');
      await world.ledger.ask(ticket);
      await world.ledger.until(ticket, ({ hold }) => hold === 'held');
    });

    it('a payment that is ended while the bank waits can no longer be authorised (Q51, R3)', async () => {
      const { ticket, page } = await challenged();
      await world.ledger.order(ticket, 'void', { unlessAuthorised: true });
      await world.ledger.until(ticket, ({ isReleased }) => isReleased);
      await answerBank(page, 'authenticated');
      const { payments } = await converged(world, ticket);
      expect(payments.map(({ status }) => status)).toEqual(['voided']);
    });

    it('an adapter that is killed between call and answer finds the payment, and a repeated confirm names its page (Q51, R4)', async () => {
      await world.restartAdapter({
        GP_FAIL_POINT: `${subject.psp}.authorise-call.after`,
        GP_FAIL_POINT_ONCE_FILE: join(folder, 'died'),
      });
      const ticket = world.newPayment();
      expect(await confirm(ticket)).toHaveProperty('error');
      await world.ledger.until(ticket, ({ hold }) => hold === 'authenticating');
      const page = await eventually(async () => (await confirm(ticket)).page);
      await answerBank(page, 'authenticated');
      await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      const { payments } = await converged(world, ticket);
      expect(payments).toHaveLength(1);
    }, 120_000);
  });
}
