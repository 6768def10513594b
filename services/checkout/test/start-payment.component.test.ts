import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '@gp/errors';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateways, Ledger } from '../src/app/ports.ts';
import { startPayment } from '../src/app/start-payment.ts';
import {
  attemptId,
  groupId,
  intent,
  intentId,
  openCheckout,
  slotId,
  start,
  usualAnswers,
} from './support/checkout.ts';

let checkout: Awaited<ReturnType<typeof openCheckout>>;

beforeAll(async () => {
  checkout = await openCheckout({ waitMs: 1_000 });
});
afterAll(() => checkout?.close());
beforeEach(() => checkout.reset());

const catchCode = (work: Promise<unknown>): Promise<ErrorCode | 'no error'> =>
  work.then(
    () => 'no error' as const,
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );
const fails = (code: ErrorCode, data = {}) => ({ prepare: () => Promise.reject(new AppError(code, data)) });

describe('201 started', () => {
  it('a pay takes the slots first, then lets the gateway prepare, and passes on what the browser needs', async () => {
    expect(await checkout.start()).toEqual({
      psp_code: 'gateway_a',
      payment_intent_id: intentId,
      amount_minor: '1050',
      currency: 'EUR',
      slot_ids: [slotId],
      client: { client_secret: 'pi_1_secret_x', publishable_key: 'pk_1' },
    });
    expect(checkout.steps()).toEqual(['reserve', 'prepare']);
    const { principal: _principal, ...reservation } = start;
    expect(checkout.question('reserve')).toEqual(reservation);
  });

  it('a tip goes to the ledger as it was written, and the answer names the one that the payment has (Q91)', async () => {
    const reserved = { ...intent, amount_minor: '1300', tip_minor: '250' };
    const { reserve } = usualAnswers();
    checkout.answer({ reserve: async (request) => ({ ...(await reserve(request)), intent: reserved }) });
    expect(await checkout.start({ tip: '2.50' })).toMatchObject({ amount_minor: '1300', tip_minor: '250' });
    expect(checkout.question('reserve')).toMatchObject({ tip: '2.50' });
    expect(checkout.question('prepare')).toMatchObject({ amount_minor: '1300' });
  });

  it('a pay prepares the very payment that was reserved, with the account frozen on it', async () => {
    await checkout.start();
    expect(checkout.question('prepare')).toEqual({
      psp: 'gateway_a',
      merchant_id: 'm1',
      mode: 'test',
      group_id: groupId,
      intent_id: intentId,
      attempt_id: attemptId,
      seq: 1,
      amount_minor: '1050',
      currency: 'EUR',
      credential_version: 3,
      sandbox_fault: null,
      description: 'Dinner (1234ABCD)',
      return_url: `http://checkout.test/c/${'p'.repeat(22)}?payment=${intentId}`,
    });
  });

  it('a pay prepares without an authorization where one begins at confirm', async () => {
    checkout.answer({
      reserve: async () => ({
        intent: { ...intent, psp_code: 'gateway_b' },
        attempt: null,
        reserved_until: '2030-01-01T00:00:00.000Z',
        merchant_order_id: 'X',
        group_name: 'Dinner',
        page_token: 'p'.repeat(22),
        sandbox_fault: 'delay:5',
        replayed: false,
      }),
    });
    await checkout.start();
    expect(checkout.question('prepare')).toMatchObject({
      psp: 'gateway_b',
      attempt_id: null,
      seq: 1,
      sandbox_fault: 'delay:5',
    });
  });

  it('a repeated command continues where an earlier run of it stopped', async () => {
    const first = await checkout.start();
    expect(await checkout.start()).toEqual(first);
    expect(checkout.steps()).toEqual(['reserve', 'prepare', 'reserve', 'prepare']);
    const ids = checkout.asked.map(({ request }) => request as Record<string, unknown>);
    expect(ids[0]?.['command_id']).toBe(ids[2]?.['command_id']);
    expect(ids[1]).toEqual(ids[3]);
  });
});

describe('a refusal of the ledger', () => {
  it.each(['no_payable_slots', 'group_expired', 'no_active_gateway', 'not_found'] as const)(
    'a refusal of the ledger passes through, and no gateway is called: %s',
    async (code) => {
      checkout.answer({ reserve: () => Promise.reject(new AppError(code)) });
      expect(await catchCode(checkout.start())).toBe(code);
      expect(checkout.steps()).toEqual(['reserve']);
    },
  );
});

describe('a gateway that cannot prepare', () => {
  it.each([
    ['amount_below_gateway_minimum', false],
    ['amount_above_gateway_maximum', false],
    ['currency_not_supported_by_gateway', false],
    ['no_active_gateway', false],
    ['gateway_error', false],
    ['gateway_unavailable', true],
    ['outcome_unknown', true],
  ] as const)(
    'a gateway that cannot prepare (%s) frees the slots before the response leaves',
    async (code, retryable) => {
      checkout.answer(fails(code));
      expect(await catchCode(checkout.start())).toBe(code);
      expect(checkout.steps()).toEqual(['reserve', 'prepare', 'release']);
      expect(checkout.question('release')).toMatchObject({
        merchant_id: 'm1',
        mode: 'test',
        group_id: groupId,
        intent_id: intentId,
        attempt_id: attemptId,
        failure: { code, retryable },
      });
    },
  );

  it('a reason of any length is shortened to what the ledger can keep', async () => {
    checkout.answer(fails('gateway_error', { message: 'x'.repeat(5_000) }));
    expect(await catchCode(checkout.start())).toBe('gateway_error');
    expect(checkout.question('release')).toMatchObject({ failure: { message: 'x'.repeat(300) } });
  });

  it('an internal fault of the adapter is not shown to the payer', async () => {
    checkout.answer({ prepare: () => Promise.reject(new Error('column "sealed" does not exist')) });
    const failure: unknown = await checkout.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'internal_error' });
    expect(JSON.stringify(checkout.question('release'))).not.toContain('sealed');
  });

  it('a reason is returned although returning the slots fails too', async () => {
    checkout.answer({
      ...fails('gateway_error'),
      release: () => Promise.reject(new AppError('service_unavailable')),
    });
    expect(await catchCode(checkout.start())).toBe('gateway_error');
  });

  it('the reason is returned before the caller’s deadline even when the release of the slots hangs', async () => {
    const told = startWithDeadline(Date.now() + 500, {
      prepare: () => Promise.reject(new AppError('gateway_error')),
      release: checkout.hangs,
    });
    expect(await Promise.race([catchCode(told), delay(500, 'the caller has hung up')])).toBe('gateway_error');
  });
});

/**
 * A start that its caller waits for until then (epoch ms), without a bus between them: of two timers of one process the
 * earlier fires first, however late both are.
 */
function startWithDeadline(
  deadline: number,
  o: Pick<Gateways, 'prepare'> & Partial<Pick<Ledger, 'release'>>,
) {
  const { reserve, release } = usualAnswers();
  const ledger = { ...checkout.ledger, reserve, release, ...o };
  const limits = () => Promise.resolve({});
  return startPayment({ ledger, gateways: o, limits, buildPageUrl: (token) => token })(start, { deadline });
}

describe('503 gateway_unavailable', () => {
  it('an adapter that is too slow leaves time to return the slots and to report it', async () => {
    const callerStopsAt = Date.now() + 2_000;
    const given: number[] = [];
    const released: unknown[] = [];
    const told = startWithDeadline(callerStopsAt, {
      async prepare(_psp, _request, { deadline }) {
        given.push(deadline);
        await delay(deadline - Date.now());
        throw new AppError('deadline_exceeded');
      },
      async release(request) {
        released.push(request);
        return intent;
      },
    });
    expect(await Promise.race([catchCode(told), delay(2_000)])).toBe('gateway_unavailable');
    expect(released).toMatchObject([{ intent_id: intentId, failure: { code: 'gateway_unavailable' } }]);
    expect(given[0]).toBeLessThan(callerStopsAt - 1_000);
  });

  it('an adapter that is away is a gateway that is away, and the slots are free', async () => {
    for (const adapter of checkout.neighbours.adapters) await adapter.close();
    const failure: unknown = await checkout.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'gateway_unavailable', data: { retryAfterSeconds: 5 } });
    expect(checkout.steps()).toEqual(['reserve', 'release']);
  });
});
