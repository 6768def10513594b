import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareIntent, putCredentials, verifyCredentials } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { eventually } from '@gp/testing';
import pg from 'pg';
import { converged } from './journeys.ts';
import type { Ticket } from './ledger.ts';
import { GOOD_CARD, POOR_CARD, SECURED_CARD } from './payers.ts';
import type { Subject } from './subjects.ts';
import { openWorld, SETTLE_WINDOW_MS, type World } from './world.ts';

const EFFECTS = ['capture', 'void', 'refund'] as const;

/** An adapter's promises for the usual course, and for the actions of merchants, payers and strangers. */
export function exercisePromises(subject: Subject): void {
  const { lacks } = subject;
  const effects = EFFECTS.filter((effect) => effect !== 'refund' || !lacks.includes('refunds'));

  describe(subject.psp, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(subject, { patience: 4 });
    }, 120_000);
    afterAll(() => world?.close(), 120_000);

    /** Like checkout, a caller without an answer sends the request again. */
    const prepared = (ticket: Ticket) => eventually(() => world.prepare(ticket));
    const held = async (): Promise<Ticket> => {
      const ticket = world.newPayment();
      await world.pay(ticket, await prepared(ticket));
      await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      return ticket;
    };
    const captured = async (): Promise<Ticket> => {
      const ticket = await held();
      await world.ledger.order(ticket, 'capture');
      await world.ledger.until(ticket, ({ capturedMinor }) => capturedMinor === 1_500);
      return ticket;
    };
    const findReference = async ({ intent_id }: Ticket): Promise<string> =>
      (await world.sandbox.books(intent_id))[0]?.psp_reference ?? '';

    it('a hold is reported with its amount and the instant at which it ends', async () => {
      const ticket = await held();
      const told = world.ledger.page(ticket).outcomes.find(({ status }) => status === 'authorised');
      expect(told).toMatchObject({ amount_minor: '1500', currency: 'EUR', psp_code: subject.psp });
      const days = (Date.parse(told?.capture_before ?? '') - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6);
      expect(days).toBeLessThan(8);
    });

    it('one order is carried out once, however often it is repeated', async () => {
      const ticket = await held();
      await world.ledger.order(ticket, 'capture');
      await Promise.all([1, 2, 3].map(() => world.ledger.repeat(ticket, 'capture')));
      await world.ledger.until(ticket, ({ capturedMinor }) => capturedMinor === 1_500);
      const { payments } = await converged(world, ticket);
      expect(payments[0]?.calls.filter(({ operation }) => operation === 'capture')).toHaveLength(1);
    });

    it.each(effects)(
      'a %s whose answer and callbacks are lost is found by a query, and not sent again',
      async (operation) => {
        const ticket = operation === 'refund' ? await captured() : await held();
        const hidden = { operation, fault: 'http_500_after_effect' };
        await world.sandbox.setFault(subject.psp, ticket.intent_id, hidden);
        await world.sandbox.setFault(subject.psp, ticket.intent_id, {
          operation: 'callback',
          fault: 'lose',
          times: 9,
        });
        await world.ledger.order(ticket, operation);
        await world.ledger.until(ticket, ({ orders }) => orders[operation]?.isOpen === false);
        const { payments } = await converged(world, ticket);
        const sent = payments.flatMap(({ calls }) => calls).filter((call) => call.operation === operation);
        expect(sent).toHaveLength(1);
      },
    );

    if (!lacks.includes('refunds')) {
      it('a refund that left no trace is unknown for the settle window, and only then sent again (R4)', async () => {
        const ticket = await captured();
        await world.sandbox.setFault(subject.psp, ticket.intent_id, {
          operation: 'refund',
          fault: 'http_500',
        });
        // The gateway may record a request late: the window is no shorter than from here on.
        const orderedAt = Date.now();
        await world.ledger.order(ticket, 'refund');
        await world.ledger.until(ticket, ({ refundedMinor }) => refundedMinor === 1_500);
        const { page, payments } = await converged(world, ticket);
        const told = page.outcomes.filter(({ operation }) => operation === 'refund');
        expect(told[0]?.status).toBe('unknown');
        expect(told.map(({ status }) => status)).not.toContain('failed');
        const sent = payments.flatMap(({ calls }) => calls).filter((call) => call.operation === 'refund');
        const [, second, ...more] = sent.map(({ at }) => Date.parse(at));
        expect(more).toEqual([]);
        expect(Number(second) - orderedAt).toBeGreaterThanOrEqual(SETTLE_WINDOW_MS);
      });

      it('a refund that the gateway refuses is reported as refused, and not sent again', async () => {
        const ticket = await captured();
        await world.sandbox.setFault(subject.psp, ticket.intent_id, {
          operation: 'refund',
          fault: 'decline',
        });
        await world.ledger.order(ticket, 'refund');
        const page = await world.ledger.until(ticket, ({ orders }) => orders.refund?.isOpen === false);
        const told = page.outcomes.filter(({ operation }) => operation === 'refund');
        expect(told).toMatchObject([{ status: 'failed', failure: { code: 'gateway_refused' } }]);
      });
    }

    it('a hold that takes longer than the adapter waits is never reported as absent', async () => {
      // Less patience than the hold takes, and far more before what is not to be seen counts as absent.
      await world.restartAdapter({ CALL_TIMEOUT_MS: '1000', SETTLE_WINDOW_MS: '60000' });
      const ticket = world.newPayment();
      const slow = { operation: 'authorise', fault: 'delay:1600' };
      await world.sandbox.setFault(subject.psp, ticket.intent_id, slow);
      await world.pay(ticket, await prepared(ticket));
      const { outcomes } = await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      expect(outcomes.map(({ status }) => status)).not.toContain('absent');
      await world.restartAdapter();
    });

    it('a declined card is reported as declined, with a text that a payer may read', async () => {
      const ticket = world.newPayment();
      await world.pay(ticket, await prepared(ticket), POOR_CARD);
      const page = await world.ledger.until(ticket, ({ hold }) => hold === 'none');
      const told = page.outcomes.find(({ status }) => status === 'declined');
      expect(told?.failure).toEqual({
        code: 'card_declined',
        message: 'the card has insufficient funds',
        retryable: false,
      });
    });

    it('a card that needs authentication ends in a hold or in a clear refusal', async () => {
      const ticket = world.newPayment();
      const { authenticate, error } = await world.pay(ticket, await prepared(ticket), SECURED_CARD);
      if (authenticate === undefined) {
        expect(error).toMatchObject({ code: 'authentication_required' });
        await world.ledger.until(ticket, ({ hold }) => hold === 'none');
      } else {
        await world.ledger.until(ticket, ({ hold }) => hold === 'authenticating');
        await authenticate();
        await world.ledger.until(ticket, ({ hold }) => hold === 'held');
      }
      await converged(world, ticket);
    });

    it('a void that must not release an existing hold keeps the hold and reports it', async () => {
      const ticket = await held();
      await world.ledger.order(ticket, 'void', { unlessAuthorised: true });
      const page = await world.ledger.until(ticket, ({ orders }) => orders.void?.isOpen === false);
      expect(page.outcomes.at(-1)).toMatchObject({
        operation: 'void',
        status: 'spared',
        amount_minor: '1500',
      });
      expect((await world.sandbox.books(ticket.intent_id))[0]?.status).toBe('authorised');
    });

    it('a void of a payment that never existed succeeds', async () => {
      const ticket = world.newPayment();
      await world.ledger.order(ticket, 'void');
      const page = await world.ledger.until(ticket, ({ orders }) => orders.void?.isOpen === false);
      expect(page.outcomes.map(({ status }) => status)).toEqual(['absent']);
    });

    if (subject.authorisesFrom === 'browser')
      it('a payment that has ended is not prepared again, so that no browser can pay it (A7)', async () => {
        const ticket = world.newPayment();
        await world.ledger.order(ticket, 'void');
        await world.ledger.until(ticket, ({ orders }) => orders.void?.isOpen === false);
        await expect(world.prepare(ticket)).rejects.toMatchObject({ code: 'no_payable_slots' });
      });

    it('a capture after its deadline is refused without a call to the gateway', async () => {
      const ticket = await held();
      await world.ledger.order(ticket, 'capture', { notAfter: new Date(0) });
      const page = await world.ledger.until(ticket, ({ orders }) => orders.capture?.isOpen === false);
      expect(page.outcomes.at(-1)).toMatchObject({ operation: 'capture', status: 'failed' });
      expect((await world.sandbox.books(ticket.intent_id))[0]?.status).toBe('authorised');
    });

    it('a hold that ends at the gateway is reported as lapsed', async () => {
      const ticket = await held();
      await world.sandbox.lapse(await findReference(ticket));
      if (lacks.includes('word of lapses')) await world.ledger.ask(ticket);
      await world.ledger.until(ticket, ({ isReleased }) => isReleased);
    });

    it.each(['capture', 'void'] as const)(
      'a %s in the gateway’s own dashboard is recorded',
      async (action) => {
        const ticket = await held();
        await world.sandbox.external(await findReference(ticket), action);
        const { page } = await settled(ticket, action === 'capture' ? 'captured' : 'lapsed');
        const told = page.outcomes.find(
          ({ status }) => status === (action === 'capture' ? 'captured' : 'lapsed'),
        );
        if (action === 'capture') expect(told).toMatchObject({ source: 'external', operation_id: null });
      },
    );

    it('a refund in the gateway’s own dashboard is recorded as external', async () => {
      const ticket = await captured();
      await world.sandbox.external(await findReference(ticket), 'refund');
      const { page } = await settled(ticket, 'refunded');
      expect(page.outcomes.at(-1)).toMatchObject({
        source: 'external',
        amount_minor: '1500',
        operation_id: null,
      });
      // The adapter reported it once: a further query must not make it two refunds.
      const heard = page.outcomes.length;
      await world.ledger.ask(ticket);
      await world.ledger.until(ticket, ({ outcomes }) => outcomes.length > heard);
      expect(world.ledger.page(ticket).refundedMinor).toBe(1_500);
    });

    if (lacks.includes('refunds'))
      it('a refund is refused without a call to the gateway, with a text that a merchant may read (E7)', async () => {
        const ticket = await captured();
        await world.ledger.order(ticket, 'refund');
        const page = await world.ledger.until(ticket, ({ orders }) => orders.refund?.isOpen === false);
        expect(page.outcomes.at(-1)).toMatchObject({
          operation: 'refund',
          status: 'failed',
          failure: { message: expect.stringContaining('refunds through the API are unavailable') },
        });
        const { payments } = await converged(world, ticket);
        expect(payments.flatMap(({ calls }) => calls).map(({ operation }) => operation)).not.toContain(
          'refund',
        );
      });

    if (!lacks.includes('word of disputes'))
      it('a dispute is reported, and its end without a loss', async () => {
        const ticket = await captured();
        const reference = await findReference(ticket);
        await world.sandbox.external(reference, 'dispute');
        await world.ledger.until(ticket, ({ isDisputed }) => isDisputed);
        await world.sandbox.external(reference, 'win_dispute');
        await world.ledger.until(ticket, ({ isDisputed }) => !isDisputed);
      });

    const settled = async (ticket: Ticket, status: string) => {
      await world.ledger.until(ticket, ({ outcomes }) =>
        outcomes.some((outcome) => outcome.status === status),
      );
      return converged(world, ticket);
    };

    it('a forged callback is refused and stores nothing', async () => {
      const ticket = await held();
      const account = world.credentials[subject.credentials.account];
      const object = { object: 'payment_intent', id: await findReference(ticket), metadata: ticket };
      const forged = {
        id: 'evt_forged',
        account,
        livemode: false,
        type: 'payment_intent.canceled',
        data: { object, id: object.id, processing_channel_id: account, metadata: ticket },
      };
      const response = await fetch(world.callbackUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
          'cko-signature': '0'.repeat(64),
        },
        body: JSON.stringify(forged),
      });
      await response.body?.cancel();
      expect(response.status).toBe(400);
      expect(await query(`select 1 from callbacks where event_id = 'evt_forged'`)).toEqual([]);
    });

    it.each(['', '\0'])(
      'a callback for an account that cannot exist is refused like any other forgery (B5): %j',
      async (more) => {
        const account = `${world.credentials[subject.credentials.account]}${more}`;
        const named = {
          id: 'evt',
          type: 'x',
          account,
          livemode: false,
          data: { id: 'x', processing_channel_id: account },
        };
        const form = {
          Ds_SignatureVersion: 'HMAC_SHA256_V1',
          Ds_MerchantParameters: Buffer.from(JSON.stringify({ Ds_MerchantCode: account })).toString('base64'),
          Ds_Signature: 'AAAA',
        };
        const headers = {
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
          'cko-signature': '0'.repeat(64),
        };
        for (const body of [JSON.stringify(named), new URLSearchParams(form)]) {
          const response = await fetch(world.callbackUrl, { method: 'POST', headers, body });
          await response.body?.cancel();
          expect(response.status).toBe(400);
        }
      },
    );

    it('credentials are stored once, checked on request, and refused when the gateway or the mode does not accept them (B15)', async () => {
      const scope = { merchant_id: 'merchant-1', mode: 'test' } as const;
      const again = await world.bus.call(putCredentials(subject.psp), {
        ...scope,
        credentials: world.credentials,
      });
      expect(again.version).toBe(1);
      const verify = (version: number) =>
        world.bus.call(verifyCredentials(subject.psp), { ...scope, version });
      expect(await verify(1)).toEqual({ valid: true, reason: null });
      const { key: name, account, spoil, isModeVisible } = subject.credentials;
      const otherAccount = (text: string) => text.replace(/.$/, (last) => (last === '1' ? '2' : '1'));
      for (const changed of [
        { [name]: spoil(world.credentials[name] ?? '') },
        { [account]: otherAccount(world.credentials[account] ?? '') },
      ])
        await expect(
          world.bus.call(putCredentials(subject.psp), {
            ...scope,
            credentials: { ...world.credentials, ...changed },
          }),
        ).rejects.toMatchObject({ code: 'validation_error' });
      expect(await query('select version from credentials')).toHaveLength(1);
      if (!isModeVisible) return;
      await expect(
        world.bus.call(putCredentials(subject.psp), {
          ...scope,
          mode: 'live',
          credentials: world.credentials,
        }),
      ).rejects.toMatchObject({ code: 'validation_error', data: { param: name } });
    });

    it('a payment whose key was revoked is captured, or voided, with the key that the merchant entered later (B11)', async () => {
      const tickets = [await held(), await held()];
      const scope = { merchant_id: 'merchant-1', mode: 'test' } as const;
      const put = (credentials: Readonly<Record<string, string>>) =>
        world.bus.call(putCredentials(subject.psp), { ...scope, credentials });
      const { key, spoil } = subject.credentials;
      // Keys that never worked can be entered only while the gateway cannot verify them.
      await world.restartAdapter({ GATEWAY_TEST_URL: 'http://127.0.0.1:9' });
      const { version: dead, verified } = await put({
        ...world.credentials,
        [key]: spoil(world.credentials[key] ?? ''),
      });
      expect(verified).toBe(false);
      await world.restartAdapter();
      expect(await world.bus.call(verifyCredentials(subject.psp), { ...scope, version: dead })).toMatchObject(
        {
          valid: false,
        },
      );
      const [taken, freed] = tickets.map((ticket) => ({ ...ticket, credential_version: dead }));
      if (!taken || !freed) throw new Error('two payments were held');
      await world.ledger.order(taken, 'capture');
      await world.ledger.until(taken, ({ outcomes }) => outcomes.at(-1)?.status === 'retryable');
      await put(world.credentials);
      await world.ledger.until(taken, ({ capturedMinor }) => capturedMinor === 1_500);
      await world.ledger.order(freed, 'void');
      await world.ledger.until(freed, ({ isReleased }) => isReleased);
      for (const ticket of [taken, freed]) await converged(world, ticket);
    });

    it('an amount that the gateway would refuse is refused before anything is sent', async () => {
      const ticket = world.newPayment(9_999_999_999_999);
      await expect(world.prepare(ticket)).rejects.toMatchObject({ code: 'amount_above_gateway_maximum' });
      expect(await world.sandbox.books(ticket.intent_id)).toEqual([]);
    });

    it('the name of another merchant opens no account', async () => {
      const { psp_reference: _none, ...payment } = world.newPayment();
      const request = { ...payment, merchant_id: 'merchant-2', seq: 1, description: 'x' };
      await expect(world.bus.call(prepareIntent(subject.psp), request)).rejects.toMatchObject({
        code: 'no_active_gateway',
      });
    });

    it('no table holds a secret, a card number or ciphertext', async () => {
      await captured();
      const dump = JSON.stringify(
        await Promise.all(
          ['psp_attempts', 'callbacks', 'credentials', 'outbox', 'inbox', 'dead_letters', 'quarantine'].map(
            (table) => query(`select t::text as row from ${table} t`),
          ),
        ),
      );
      const secrets = subject.credentials.secrets.map((name) => world.credentials[name]);
      for (const secret of [...secrets, GOOD_CARD, 'ev:', 'Ada Lovelace']) expect(dump).not.toContain(secret);
    });

    it('an open breaker refuses payers at once, and keeps orders waiting instead of failing them', async () => {
      const tickets = await Promise.all(Array.from({ length: 4 }, () => held()));
      await world.restartAdapter({ BREAKER_VOLUME: '3', BREAKER_RESET_MS: '1000' });
      for (const { intent_id } of tickets)
        await world.sandbox.setFault(subject.psp, intent_id, {
          operation: 'capture',
          fault: 'drop_request',
          times: 2,
        });
      await Promise.all(tickets.map((ticket) => world.ledger.order(ticket, 'capture')));
      await Promise.all(
        tickets.map((ticket) => world.ledger.until(ticket, ({ capturedMinor }) => capturedMinor === 1_500)),
      );
      const told = tickets
        .flatMap((ticket) => world.ledger.page(ticket).outcomes)
        .map(({ status }) => status);
      expect(told).toContain('retryable');
      expect(told).not.toContain('failed');

      const { begins } = subject;
      // A payment that begins without a call of ours cannot be refused.
      if (begins === null) return;
      const turnedAway = await eventually(async () => {
        const ticket = world.newPayment();
        await world.sandbox.setFault(subject.psp, ticket.intent_id, {
          operation: begins,
          fault: 'drop_request',
          times: 9,
        });
        const error = await tryToPay(world, ticket);
        return error instanceof AppError && error.code === 'gateway_unavailable' ? error : undefined;
      });
      expect(turnedAway.data.retryAfterSeconds).toBeGreaterThan(0);
    });

    const query = async (sql: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString: world.databaseUrl });
      await client.connect();
      try {
        return (await client.query(sql)).rows as unknown[];
      } finally {
        await client.end();
      }
    };
  });
}

async function tryToPay(world: World, ticket: Ticket): Promise<unknown> {
  try {
    return (await world.pay(ticket, await world.prepare(ticket))).error;
  } catch (error) {
    return error;
  }
}
