import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import {
  confirmInBrowser,
  createIntent,
  heldIntent,
  merchantA,
  type MerchantA,
} from '../../gateway-adapters/stripe/test/merchant.ts';
import {
  heldPayment,
  merchantB,
  pay,
  step,
  type MerchantB,
} from '../../gateway-adapters/checkout-com/test/merchant.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { sceneA, sceneB, type Operation, type Scene } from './scenes.ts';
import { call, openTester, type Tester } from './tester.ts';

let sandbox: Sandbox;
let tester: Tester;
let receiver: Receiver;
let a: MerchantA;
let b: MerchantB;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
  tester = openTester(sandbox.url);
  [a, b] = await Promise.all([
    merchantA(sandbox, tester, receiver.url),
    merchantB(sandbox, tester, receiver.url),
  ]);
});

afterEach(() => tester.control('DELETE', 'faults'));

afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
});

const openScene = (gateway: 'gateway_a' | 'gateway_b', operation: Operation): Promise<Scene> =>
  gateway === 'gateway_a' || operation === 'prepare'
    ? sceneA(sandbox, a, operation)
    : sceneB(b, tester, operation);

type Met = 'success' | 'refusal' | '500' | '429' | 'damage' | 'silence';

/** How a client meets the operation; only one that will never be answered has to lose patience. */
async function meet({ run }: Scene, impatience?: AbortSignal): Promise<Met> {
  try {
    const { status, body } = await run(impatience);
    if (status === 500 || status === 429) return `${status}`;
    if (status >= 400 || (body as { approved?: boolean } | undefined)?.approved === false) return 'refusal';
    return body === undefined ? 'damage' : 'success';
  } catch {
    return 'silence';
  }
}

const soon = (): AbortSignal => AbortSignal.timeout(250);

/** Returns the signal of a client that disconnects as soon as the operation is seen to have happened, not before. */
function afterEffect(scene: Scene, operation: Operation): AbortSignal {
  if (operation === 'query') return soon();
  const given = new AbortController();
  void eventually(async () => scene.isDone((await tester.books(scene.intent))[0]) || undefined)
    .catch(() => undefined)
    .then(() => given.abort());
  return given.signal;
}

async function isDone(scene: Scene): Promise<boolean> {
  const look = async () => scene.isDone((await tester.books(scene.intent))[0]);
  const isSettled = async () =>
    ((await tester.books(scene.intent))[0] as { pending_step?: string | null } | undefined)?.pending_step ==
    null;
  await eventually(async () => ((await isSettled()) ? true : undefined));
  return look();
}

const TRANSPORT: readonly (readonly [fault: string, met: Met, isDone: boolean])[] = [
  ['drop_request', 'silence', false],
  ['drop_response', 'silence', true],
  ['http_500', '500', false],
  ['http_500_after_effect', '500', true],
  ['timeout', 'silence', false],
  ['timeout_after_effect', 'silence', true],
  ['rate_limit', '429', false],
  ['malformed', 'damage', true],
  ['delay:60', 'success', true],
  ['decline', 'refusal', false],
];

const OPERATIONS = ['prepare', 'authorise', 'capture', 'void', 'refund', 'query'] as const;

for (const gateway of ['gateway_a', 'gateway_b'] as const) {
  for (const operation of OPERATIONS.filter((one) => gateway === 'gateway_a' || one !== 'prepare')) {
    describe(`${gateway}: a misbehaving ${operation}`, () => {
      it.each(TRANSPORT)(
        'a misbehaving operation: %s is met as %s; the effect happened: %s',
        async (fault, met, isEffective) => {
          const scene = await openScene(gateway, operation);
          await tester.fault(gateway, operation, fault, 1, { payment_intent_id: scene.intent });
          const impatience =
            fault === 'timeout'
              ? soon()
              : fault === 'timeout_after_effect'
                ? afterEffect(scene, operation)
                : undefined;
          expect(await meet(scene, impatience)).toBe(met);
          expect(await isDone(scene)).toBe(operation === 'query' || isEffective);
        },
      );
    });
  }
}

describe('a fault', () => {
  it('a fault is over after its times', async () => {
    const scene = await openScene('gateway_a', 'query');
    await tester.fault('gateway_a', 'query', 'rate_limit', 2, { reference: scene.intent });
    const met = [await meet(scene), await meet(scene), await meet(scene)];
    expect(met).toEqual(['429', '429', 'success']);
  });

  it('a fault applies only to matching calls', async () => {
    const [one, other] = [await openScene('gateway_b', 'query'), await openScene('gateway_b', 'query')];
    await tester.fault('gateway_b', 'query', 'rate_limit', 5, { reference: one.intent });
    expect([await meet(other), await meet(one)]).toEqual(['success', '429']);
    await tester.fault('gateway_b', 'query', 'rate_limit', 1, { order: '7' });
    const { body } = await pay(b, { metadata: { order: '7' } });
    const { id } = body as { id: string };
    expect(await meet(other)).toBe('success');
    const headers = { Authorization: `Bearer ${b.credentials.processor_secret_key}` };
    expect((await call('GET', `${b.processor}/payments/${id}`, { headers })).status).toBe(429);
  });

  it('a fault ends when all are cleared, latency included', async () => {
    const scene = await openScene('gateway_a', 'query');
    await tester.fault('gateway_a', 'query', 'drop_request', 9);
    await tester.control('POST', 'latency', { gateway: 'gateway_a', ms: 60_000 });
    expect(await meet(scene, soon())).toBe('silence');
    await tester.control('DELETE', 'faults');
    expect(await meet(scene)).toBe('success');
  });

  it('a fault can be ordered by the payment itself, once, however often its request is repeated', async () => {
    const [intent, key] = [uuidv7(), uuidv7()];
    const metadata = { sandbox_fault: 'prepare:drop_response, capture:http_500:2' };
    // The SDK itself repeats a request whose connection was cut, with the same key.
    const made = await createIntent(a, { intent, key, metadata });
    expect(await tester.books(intent)).toHaveLength(1);
    expect((await tester.page(intent)).calls).toMatchObject([
      { operation: 'prepare', outcome: 'ok', fault: 'drop_response' },
      { operation: 'prepare', outcome: 'replayed' },
    ]);
    await confirmInBrowser(a, sandbox, made, '4242424242424242');
    const capture = (idempotencyKey: string) =>
      a.stripe.paymentIntents.capture(made.id, {}, { idempotencyKey }).then(
        () => 200,
        (e: unknown) => (e as { statusCode: number }).statusCode,
      );
    const first = uuidv7();
    // The stored failure is replayed for its key, the second fault meets the next key, the third key gets through.
    expect([
      await capture(first),
      await capture(uuidv7()),
      await capture(first),
      await capture(uuidv7()),
    ]).toEqual([500, 500, 500, 200]);
    expect(await tester.calls(intent, 'capture')).toEqual(['failed', 'failed', 'replayed', 'ok']);
  });

  it('a fault ordered by a payment without our id still applies to that payment alone', async () => {
    const { id } = await a.stripe.paymentIntents.create({
      amount: 1500,
      currency: 'eur',
      metadata: { sandbox_fault: 'query:rate_limit' },
    });
    await expect(a.stripe.paymentIntents.retrieve(id)).rejects.toMatchObject({
      type: 'StripeRateLimitError',
    });
    await expect(a.stripe.paymentIntents.retrieve(id)).resolves.toMatchObject({ id });
  });

  it('a fault follows a payment over several tries on gateway_b', async () => {
    const intent = uuidv7();
    const metadata = { sandbox_fault: 'authorise:decline' };
    expect((await pay(b, { intent, metadata })).body).toMatchObject({ approved: false });
    expect((await pay(b, { intent, metadata })).body).toMatchObject({ approved: true });
  });
});

describe('wrong amounts', () => {
  it('wrong amounts are what the gateway really holds, captures and refunds', async () => {
    for (const gateway of ['gateway_a', 'gateway_b'] as const) {
      const hold = await openScene(gateway, 'authorise');
      await tester.fault(gateway, 'authorise', 'wrong_amount', 1, { payment_intent_id: hold.intent });
      await hold.run();
      expect(await tester.page(hold.intent)).toMatchObject({ amount_minor: 1500, authorised_minor: 1499 });
      for (const [operation, figure] of [
        ['capture', 'captured_minor'],
        ['refund', 'refunded_minor'],
      ] as const) {
        const scene = await openScene(gateway, operation);
        await tester.fault(gateway, operation, 'wrong_amount', 1, { payment_intent_id: scene.intent });
        await scene.run();
        await eventually(async () => ((await tester.page(scene.intent))[figure] === 1499 ? true : undefined));
      }
    }
  });

  it('a wrong amount in a look-up is only shown', async () => {
    for (const gateway of ['gateway_a', 'gateway_b'] as const) {
      const scene = await openScene(gateway, 'query');
      await tester.fault(gateway, 'query', 'wrong_amount', 1, { payment_intent_id: scene.intent });
      expect((await scene.run()).body).toMatchObject({ amount: 1499 });
      expect((await scene.run()).body).toMatchObject({ amount: 1500 });
    }
  });
});

it('a fault of the confirmation lasts beyond the 3-D Secure page', async () => {
  const made = await createIntent(a);
  await tester.fault('gateway_a', 'authorise', 'wrong_amount', 1, { psp_reference: made.id });
  const { body } = await confirmInBrowser(a, sandbox, made, '4000002760003184');
  const { next_action } = body as { next_action: { redirect_to_url: { url: string } } };
  await call('POST', next_action.redirect_to_url.url, {
    body: new URLSearchParams({ result: 'authenticated' }),
  });
  expect(await tester.page(made.id)).toMatchObject({ status: 'authorised', authorised_minor: 1499 });
});

describe('what was accepted and fails later', () => {
  it.each([
    ['gateway_a', 'authorise', 'declined', 'payment_intent.payment_failed'],
    ['gateway_a', 'capture', 'declined', 'payment_intent.payment_failed'],
    ['gateway_a', 'refund', 'captured', 'refund.failed'],
    ['gateway_b', 'authorise', 'declined', 'payment_declined'],
    ['gateway_b', 'capture', 'authorised', 'payment_capture_declined'],
    ['gateway_b', 'void', 'authorised', 'payment_void_declined'],
    ['gateway_b', 'refund', 'captured', 'payment_refund_declined'],
  ] as const)(
    'an accepted operation that fails later: %s %s ends as %s and says %s',
    async (gateway, operation, status, type) => {
      const scene = await openScene(gateway, operation);
      await tester.fault(gateway, operation, 'async_failed', 1, { payment_intent_id: scene.intent });
      expect((await scene.run()).status).toBeLessThan(300);
      const { psp_reference } = await tester.page(scene.intent);
      await receiver.first((body) => body.type === type && JSON.stringify(body).includes(psp_reference));
      expect(await tester.page(scene.intent)).toMatchObject({ status, pending_step: null });
    },
  );

  it('a failed void on gateway_a leaves the hold where it was', async () => {
    const scene = await openScene('gateway_a', 'void');
    await tester.fault('gateway_a', 'void', 'async_failed', 1, { payment_intent_id: scene.intent });
    expect((await scene.run()).body).toMatchObject({ status: 'processing' });
    expect(await isDone(scene)).toBe(false);
    expect(await tester.page(scene.intent)).toMatchObject({ status: 'authorised' });
    expect(await tester.calls(scene.intent, 'void')).toEqual(['failed']);
  });
});

describe('callbacks that misbehave', () => {
  const seen = (id: string, type: string) => receiver.types(id).filter((one) => one === type).length;
  const HELD = 'payment_intent.amount_capturable_updated';

  it('lost callbacks never arrive, whether the fault is on the callback or on the call that causes it', async () => {
    for (const [operation, fault] of [
      ['callback', 'lose'],
      ['capture', 'lose'],
    ] as const) {
      const { id } = await heldIntent(a, sandbox);
      await eventually(() => (seen(id, HELD) > 0 ? true : undefined));
      await tester.fault('gateway_a', operation, fault, 1, { psp_reference: id });
      await a.stripe.paymentIntents.capture(id);
      await a.stripe.refunds.create({ payment_intent: id });
      await eventually(() => (seen(id, 'charge.refunded') > 0 ? true : undefined));
      expect(seen(id, 'payment_intent.succeeded')).toBe(0);
      const { callbacks } = await tester.page(id);
      expect(callbacks.filter(({ state }) => state === 'lost').map(({ type }) => type)).toEqual([
        'charge.captured',
        'payment_intent.succeeded',
      ]);
    }
  });

  it('duplicated callbacks arrive twice with the same id', async () => {
    const id = await heldPayment(b);
    await tester.fault('gateway_b', 'callback', 'duplicate', 1, { psp_reference: id });
    await step(b, id, 'captures');
    await eventually(() => (seen(id, 'payment_captured') === 2 ? true : undefined));
    const ids = receiver.received.filter(
      ({ text }) => text.includes(id) && text.includes('payment_captured'),
    );
    expect(new Set(ids.map(({ text }) => (JSON.parse(text) as { id: string }).id)).size).toBe(1);
  });

  it('reordered callbacks are overtaken by later ones', async () => {
    // Held back for two seconds at most: until it is certain that a later one comes, unless we were too slow for that.
    const id = await eventually(async () => {
      const intent = uuidv7();
      await tester.fault('gateway_b', 'callback', 'reorder', 1, { payment_intent_id: intent });
      const held = await heldPayment(b, { intent });
      const kept = await sandbox.sql(
        `update callbacks set due_at = now() + interval '1 hour'
          where psp_reference = '${held}' and is_held and state = 'due' returning id`,
      );
      return kept.length === 1 ? held : undefined;
    });
    await step(b, id, 'captures');
    await eventually(() => (receiver.types(id).length >= 2 ? true : undefined));
    expect(receiver.types(id)).toEqual(['payment_captured', 'payment_approved']);
  });

  it('delayed callbacks arrive late', async () => {
    const { id } = await heldIntent(a, sandbox);
    await tester.fault('gateway_a', 'callback', 'delay:300', 1, { psp_reference: id });
    const askedAt = performance.now();
    await a.stripe.paymentIntents.capture(id);
    await eventually(() => (seen(id, 'payment_intent.succeeded') > 0 ? true : undefined));
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(300);
  });

  it.each([
    ['malformed', 2],
    ['drop_response', 2],
    ['http_500_after_effect', 2],
    ['drop_request', 1],
    ['http_500', 1],
    ['timeout', 1],
    ['rate_limit', 1],
  ])(
    'a misbehaving callback %s: the true one arrives in the end, %d message(s) in all',
    async (fault, messages) => {
      const id = await heldPayment(b);
      await eventually(() => (seen(id, 'payment_approved') > 0 ? true : undefined));
      await tester.fault('gateway_b', 'callback', fault, 1, { psp_reference: id });
      await step(b, id, 'captures');
      const captured = await eventually(async () => {
        const { callbacks } = await tester.page(id);
        return callbacks.find(({ type, state }) => type === 'payment_captured' && state === 'delivered');
      });
      expect(captured.attempts).toBe(2);
      // The damaged half may end before the id it is about.
      const whole = receiver.types(id).filter((type) => type === 'payment_captured').length;
      expect(whole).toBe(fault === 'malformed' ? 1 : messages);
    },
  );

  it('a callback with a wrong amount has a valid signature', async () => {
    const intent = uuidv7();
    await tester.fault('gateway_b', 'callback', 'wrong_amount', 1, { payment_intent_id: intent });
    const id = await heldPayment(b, { intent });
    const { text } = await receiver.first((body) => JSON.stringify(body).includes(id));
    expect(JSON.parse(text)).toMatchObject({ type: 'payment_approved', data: { amount: 1499 } });
    expect(await tester.page(id)).toMatchObject({ authorised_minor: 1500 });
  });
});
