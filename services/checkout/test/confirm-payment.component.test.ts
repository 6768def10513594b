import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { setTimeout as delay } from 'node:timers/promises';
import { beginConfirmation } from '../src/app/begin-confirmation.ts';
import {
  attemptId,
  confirm,
  groupId,
  intent,
  intentId,
  openCheckout,
  usualAnswers,
  type Begin,
  type Begun,
} from './support/checkout.ts';

let checkout: Awaited<ReturnType<typeof openCheckout>>;

beforeAll(async () => {
  checkout = await openCheckout({ waitMs: 60_000 });
});
afterAll(() => checkout?.close());
beforeEach(() => checkout.reset());

/** Answers these one after the other, the last one for good. */
function says(...statuses: Begun['status'][]): void {
  const { begin } = usualAnswers();
  let at = 0;
  checkout.answer({
    begin: async (request) => {
      const status = statuses[Math.min(at++, statuses.length - 1)] ?? 'held';
      const begun = await begin(request);
      return status === 'begun' ? begun : { ...begun, status, attempt: null };
    },
  });
}

describe('begun', () => {
  it('a begun confirm returns the ticket with which the edge carries the card to the adapter', async () => {
    expect(await checkout.confirm()).toEqual({
      status: 'begun',
      ticket: {
        merchant_id: 'm1',
        mode: 'test',
        psp_code: 'gateway_b',
        group_id: groupId,
        intent_id: intentId,
        attempt_id: attemptId,
        seq: 2,
        amount_minor: '1050',
        currency: 'EUR',
        credential_version: intent.credential_version,
        sandbox_fault: 'delay:5',
        merchant_order_id: '1234ABCD',
        traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
      },
    });
  });

  it('a secret key reaches every payment of its merchant, whatever group the path names', async () => {
    await checkout.confirm({ group_id: '0198c3f0-0000-7000-8000-0000000000ff' });
    expect(checkout.question('begin')).toEqual({ merchant_id: 'm1', mode: 'test', intent_id: intentId });
  });

  it("a session token reaches its own group's payments only, whatever group the path names", async () => {
    const other = '0198c3f0-0000-7000-8000-0000000000ff';
    await checkout.confirm({ principal: `session:${groupId}`, group_id: other });
    expect(checkout.question('begin')).toMatchObject({ within_group_id: groupId });
  });
});

describe('held', () => {
  it('a payment whose hold exists is confirmed already', async () => {
    says('held');
    expect(await checkout.confirm()).toEqual({ status: 'held' });
  });

  it('a confirm waits for another authorization in flight, and returns its hold', async () => {
    says('in_flight', 'in_flight', 'held');
    expect(await checkout.confirm()).toEqual({ status: 'held' });
    expect(checkout.steps()).toEqual(['begin', 'begin', 'begin']);
  });

  it('an authorization that was declined while a confirm waited is followed by a new one', async () => {
    says('in_flight', 'begun');
    expect(await checkout.confirm()).toMatchObject({ status: 'begun' });
  });
});

describe('a page to return to', () => {
  const mine = 'https://shop.example/orders/42?x=1';
  const register = (origins: string[]) =>
    checkout.rows(
      `insert into allowed_origins (merchant_id, mode, origins, revision) values ('m1', 'test', $1, 1)
       on conflict (merchant_id, mode) do update set origins = excluded.origins`,
      [origins],
    );

  it.each([
    ['the merchant’s registered origin', mine],
    ['our own page', `http://checkout.test/c/${'p'.repeat(22)}?payment=${intentId}`],
  ])('an address on %s is in the ticket (Q51)', async (_what, return_url) => {
    await register(['https://shop.example']);
    expect(await checkout.confirm({ return_url })).toMatchObject({ ticket: { return_url } });
  });

  it.each([
    'https://evil.example/orders/42',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'blob:https://shop.example/orders/42',
    'http://shop.example/',
    'https://checkout.test/c/x',
    'javascript:alert(1)',
    '//shop.example/',
    'x',
  ])('the address %s is refused before the ledger is asked (Q51)', async (return_url) => {
    await register(['https://shop.example']);
    await expect(checkout.confirm({ return_url })).rejects.toMatchObject({
      code: 'validation_error',
      message: 'Validation error: return_url: must be an address on a registered origin',
    });
    expect(checkout.steps()).toEqual([]);
  });

  it.each(['in_flight', 'unknown'] as const)(
    'a try whose payer is awaited at the bank (%s) is begun again, so that the adapter names the page (Q51)',
    async (status) => {
      await register(['https://shop.example']);
      const { begin } = usualAnswers();
      const attempt = { id: attemptId, seq: 2, psp_reference: 'pay_1' };
      checkout.answer({ begin: async (request) => ({ ...(await begin(request)), status, attempt }) });
      expect(await checkout.confirm({ return_url: mine })).toMatchObject({
        status: 'begun',
        ticket: { attempt_id: attemptId, return_url: mine },
      });
      checkout.answer({
        begin: async (request) => ({ ...(await begin(request)), status: 'unknown', attempt }),
      });
      await expect(checkout.confirm()).rejects.toMatchObject({ code: 'outcome_unknown' });
    },
  );
});

describe('500 outcome_unknown', () => {
  it('an unknown outcome is returned at once and never followed by a second try', async () => {
    says('unknown', 'begun');
    const failure: unknown = await checkout.confirm().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'outcome_unknown', data: { retryAfterSeconds: 5 } });
    expect(checkout.steps()).toEqual(['begin']);
  });

  it('a confirm waits for an authorization in flight no longer than agreed', async () => {
    const { asked, run } = inFlight(600);
    await expect(run(Date.now() + 60_000)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(asked.length).toBeGreaterThan(1);
  });

  it('a caller with a shorter deadline gets the response before the deadline', async () => {
    const { run } = inFlight(60_000);
    const hangsUp = delay(900, 'the caller has hung up');
    await expect(Promise.race([run(Date.now() + 900), hangsUp])).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
  });

  /**
   * A try that stays in flight, queried without a bus between: of two timers of one process the earlier fires first,
   * however late both are.
   */
  function inFlight(waitMs: number) {
    const asked: unknown[] = [];
    const beginAuthorisation = async (request: Begin): Promise<Begun> => {
      asked.push(request);
      return { ...(await usualAnswers().begin(request)), status: 'in_flight', attempt: null };
    };
    const begin = beginConfirmation({
      ledger: { ...checkout.ledger, beginAuthorisation },
      waitMs,
      readReturnAddress: (_owner, address) => Promise.resolve(address),
    });
    return { asked, run: (deadline: number) => begin(confirm, { deadline }) };
  }
});

describe('a refusal of the ledger', () => {
  it.each(['not_found', 'confirm_not_supported', 'group_expired', 'too_many_declines'] as const)(
    'a refusal of the ledger passes through: %s',
    async (code) => {
      checkout.answer({ begin: () => Promise.reject(new AppError(code)) });
      await expect(checkout.confirm()).rejects.toMatchObject({ code });
    },
  );
});
