import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import { publicEventSubject } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { eventually, testNats, type OwnServer } from '@gp/testing';
import type { Caller } from '../src/app/callers/caller.ts';
import { openLimits } from '../src/limits.ts';
import type { Reply } from './support/client.ts';
import { fakePayments } from './support/fake-payments.ts';
import { createSigning, serveSigningKeys, tokenWith } from './support/session-tokens.ts';
import { card, createBody, highLimits, openEdge, pepper, type Edge } from './support/edge.ts';

const groups = '/v1/group-payments';
const signing = createSigning('test');
const payer = { customer_email: 'ada@example.com' };
const readLimits = ({ headers }: Reply) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);

function expect429(reply: Reply, reason: string): void {
  expect(reply.status).toBe(429);
  expect(reply.body).toMatchObject({ error: 'Too Many Requests', code: 'rate_limited', version: '1.0.0' });
  expect(reply.headers['ratelimit-reason']).toBe(reason);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

/** The event that the ledger publishes for a refused card. */
function declined(groupId: string, o: { code?: string; stage?: string; intentId?: string } = {}) {
  const { code = 'card_declined', stage = 'authorise', intentId = randomUUID() } = o;
  const failure = { stage, code, message: 'no', retryable: false };
  const data = { payment_intent_id: intentId, group_payment_id: groupId, failure };
  const at = new Date().toISOString();
  const head = {
    id: randomUUID(),
    type: 'payment_intent.failed',
    created: at,
    merchant_id: 'm1',
    mode: 'test',
  };
  const subject = publicEventSubject('payment_intent.failed', groupId);
  return {
    id: head.id,
    subject,
    mode: 'test' as const,
    payload: { ...head, group_id: groupId, sequence: 1, data },
  };
}

describe('requests of one merchant (Q11)', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await openEdge({
      limits: {
        rateLimitTestPerSecond: 1,
        rateLimitTestBurst: 4,
        rateLimitLivePerSecond: 10,
        rateLimitLiveBurst: 7,
        rateLimitCreatePerSecond: 1,
        rateLimitCreateBurst: 2,
      },
    });
  });
  afterAll(() => edge?.close());
  afterEach(() => void edge.pass(60_000));
  const exhaust = async () => {
    for (let n = 0; n < 4; n++) expect((await edge.get(groups)).status).toBe(200);
  };

  it('every authenticated response states the requests left, refusals too; a stranger gets no such header (Q11)', async () => {
    const answers = [
      await edge.get(groups),
      await edge.get(`${groups}/nothing`),
      await edge.post(groups, '{'),
      await edge.post(groups, 'x', { headers: { 'content-type': 'text/plain' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 415]);
    expect(answers.map(readLimits)).toEqual([
      ['4', '3', '1'],
      ['4', '2', '2'],
      ['4', '1', '3'],
      ['4', '0', '4'],
    ]);
    const stranger = await edge.get(groups, { key: 'sk_test_nobody' });
    expect(stranger.status).toBe(401);
    expect(readLimits(stranger)).toEqual([undefined, undefined, undefined]);
    edge.pass(60_000);
    const tooLarge = await edge.post(groups, 'x'.repeat(300_000));
    expect([tooLarge.status, tooLarge.headers['ratelimit-remaining']]).toEqual([413, '1']);
  });

  it('a request over the limit is a 429 with the time to come back, and then it works again (Q11)', async () => {
    await exhaust();
    const refused = await edge.get(groups);
    expect429(refused, 'test_rate');
    expect(refused.headers['retry-after']).toBe('1');
    edge.pass(1_000);
    expect((await edge.get(groups)).status).toBe(200);
    expect429(await edge.get(groups), 'test_rate');
  });

  it('the limit is checked before the body and after the caller is known (Q11)', async () => {
    await exhaust();
    expect429(await edge.post(groups, '{'), 'test_rate');
    expect429(await edge.post(groups, 'x'.repeat(300_000)), 'test_rate');
    expect((await edge.post(groups, '{', { key: 'junk' })).status).toBe(401);
  });

  it('another merchant and the other mode have limits of their own', async () => {
    const { key: stranger } = await edge.addKey('test', { merchant_id: 'm2' });
    const { key: live } = await edge.addKey('live');
    await exhaust();
    expect((await edge.get(groups, { key: stranger })).status).toBe(200);
    expect(readLimits(await edge.get(groups, { key: live }))).toEqual(['7', '6', '1']);
    const { key: sibling } = await edge.addKey('test');
    expect429(await edge.get(groups, { key: sibling }), 'test_rate');
  });

  it('creates have a limit of their own; a 429 is never stored under an Idempotency-Key (Q11)', async () => {
    for (let n = 0; n < 2; n++) expect((await edge.post(groups, createBody())).status).toBe(201);
    const sent = { idempotencyKey: randomUUID() };
    const body = createBody();
    expect429(await edge.post(groups, body, sent), 'create_rate');
    expect((await edge.get(groups)).status).toBe(200);
    edge.pass(60_000);
    const retry = await edge.post(groups, body, sent);
    expect(retry.status).toBe(201);
    expect(retry.headers['idempotent-replayed']).toBeUndefined();
    // A replay costs a token like any other request.
    expect((await edge.post(groups, body, sent)).headers['ratelimit-remaining']).toBe('0');
  });

  it('unknown routes and methods have no limit (Q11)', async () => {
    await exhaust();
    expect((await edge.get('/v1/nothing')).status).toBe(404);
    expect((await edge.send('PUT', groups)).status).toBe(405);
  });
});

describe('the card-testing guard (Q11)', () => {
  let edge: Edge;
  beforeAll(async () => (edge = await openEdge({ limits: { cardTestingDeclinesPerGroup: 5 } })));
  afterAll(() => edge?.close());
  const pay = (groupId: string, o = {}) => edge.post(`${groups}/${groupId}/pay`, payer, o);
  const confirm = (groupId: string) => edge.post(`${groups}/${groupId}/confirm`, {});
  const decline = (groupId: string, o = {}) => edge.others.publish(declined(groupId, o));
  const blocks = (groupId: string) =>
    eventually(async () => ((await pay(groupId)).status === 429 ? true : undefined));

  it('the fifth decline of a group blocks pay and confirm for fifteen minutes, and nothing else (Q11)', async () => {
    const [group, other] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 5; n++) await decline(group, n % 2 ? { code: 'authentication_required' } : {});
    await blocks(group);
    const key = { idempotencyKey: randomUUID() };
    const refused = await pay(group.toUpperCase(), key);
    expect429(refused, 'too_many_declines');
    expect(refused.headers['retry-after']).toBe('900');
    expect429(await confirm(group), 'too_many_declines');
    expect429(await edge.post(`${groups}/${group}/test-payments`, {}), 'too_many_declines');
    expect((await pay(other)).status).toBe(201);
    expect((await edge.get(`${groups}/${group}`)).status).toBe(404);
    edge.pass(900_000);
    expect((await pay(group.toUpperCase(), key)).status).toBe(201);
  });

  it('a payment of a blocked group is blocked under any path (A10, Q11)', async () => {
    const [group, elsewhere] = [randomUUID(), randomUUID()];
    const intents = { blocked: randomUUID(), other: randomUUID() };
    edge.fakes.answers.findGroupId = (id) => (id === intents.blocked ? group : elsewhere);
    const tryCard = (payment_intent_id: string) =>
      edge.post(`${groups}/${randomUUID()}/confirm`, { payment_intent_id, card });
    expect((await tryCard(intents.blocked)).status).toBe(200);
    for (let n = 0; n < 5; n++) await decline(group);
    await blocks(group);
    edge.fakes.received.card.length = 0;
    expect429(await tryCard(intents.blocked.toUpperCase()), 'too_many_declines');
    expect(edge.fakes.received.card).toEqual([]);
    expect((await tryCard(intents.other)).status).toBe(200);
  });

  it('four declines, or failures that are no declines, block nobody (Q11)', async () => {
    const [group, marker] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 4; n++) await decline(group);
    await decline(group, { code: 'reservation_expired' });
    await decline(group, { code: 'gateway_unavailable' });
    await decline(group, { stage: 'capture' });
    // Facts of one publisher come in order: when the last is counted, all were received.
    for (let n = 0; n < 5; n++) await decline(marker);
    await blocks(marker);
    expect((await pay(group)).status).toBe(201);
  });
});

describe('a payer whose cards are declined', () => {
  let edge: Edge;
  beforeAll(async () => (edge = await openEdge({ limits: { cardTestingDeclinesPerPayer: 2 } })));
  afterAll(() => edge?.close());

  it.each(['pay', 'test-payments'])(
    'a payer whose cards are declined is blocked in the group, in any spelling of the address, and the group pays on, by %s (X7)',
    async (action) => {
      const { body } = await edge.post(groups, createBody());
      const group = (body['group_payment'] as { id: string }).id;
      listWhatIsStarted();
      const pay = (customer_email: string) => edge.post(`${groups}/${group}/${action}`, { customer_email });
      for (let n = 0; n < 2; n++) {
        const intentId = String((await pay('eve@example.com')).body['payment_intent_id']);
        await edge.others.publish(declined(group, { intentId }));
      }
      await eventually(async () => ((await pay('eve@example.com')).status === 429 ? true : undefined));
      expect429(await pay('EVE@example.com'), 'too_many_declines');
      expect((await pay('ann@example.com')).status).toBe(201);
      edge.pass(900_000);
      expect((await pay('eve@example.com')).status).toBe(201);
    },
  );

  /** The ledger knows of every payment that was started, and that it is held. */
  function listWhatIsStarted(): void {
    const { answers } = edge.fakes;
    const usual = answers.pay;
    const [known] = fakePayments({ limit: 1 }).payments;
    const started: string[] = [];
    answers.pay = async (request) => {
      const answer = await usual(request);
      started.push(answer.payment_intent_id);
      return answer;
    };
    answers.intent = () => ({ state: 'preauthorised' });
    answers.listed = () => ({
      payments: started.flatMap((id) => (known ? [{ ...known, id }] : [])),
      next: null,
    });
  }
});

describe('a visitor who lets reservations end', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await openEdge({ limits: { abandonedReservationsPerAddress: 2, trustedProxies: 'loopback' } });
    serveSigningKeys(edge.others, [signing.published]);
  });
  afterAll(() => edge?.close());

  it('an address with too many abandoned reservations starts no payment of the group under any token or e-mail, and others do (X14)', async () => {
    const [group, other] = [randomUUID(), randomUUID()];
    const pay = async (of: string, from: string, confirm = false) => {
      const key = await tokenWith(signing, of);
      const body = { customer_email: `${randomUUID()}@example.com` };
      const headers = { 'x-forwarded-for': from };
      return edge.post(`${groups}/${of}/${confirm ? 'confirm' : 'pay'}`, confirm ? {} : body, {
        key,
        headers,
      });
    };
    for (let n = 0; n < 2; n++) {
      const intentId = String((await pay(group, '203.0.113.7')).body['payment_intent_id']);
      await edge.others.publish(declined(group, { intentId, code: 'reservation_expired' }));
    }
    const refused = await eventually(async () => {
      const reply = await pay(group, '203.0.113.7');
      return reply.status === 429 ? reply : undefined;
    });
    expect429(refused, 'abandoned_reservations');
    expect(refused.headers['retry-after']).toBe('3600');
    expect((await pay(group, '203.0.113.7', true)).status).toBe(400);
    expect((await pay(group, '203.0.113.8')).status).toBe(201);
    expect((await pay(other, '203.0.113.7')).status).toBe(201);
    expect((await edge.post(`${groups}/${group}/pay`, payer)).status).toBe(201);
    edge.pass(3_600_000);
    expect((await pay(group, '203.0.113.7')).status).toBe(201);
  });
});

describe('among replicas', () => {
  let nats: OwnServer;
  const buses: Bus[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => (nats = await testNats()));
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
  });
  afterAll(() => nats?.stop());

  /** One more replica's limits; its clock stands still. */
  async function replica() {
    const bus = await openBus({ servers: nats.url, name: 'replica' });
    buses.push(bus);
    await eventually(() => bus.isConnected() || undefined);
    const settings = {
      ...highLimits,
      rateLimitTestBurst: 3,
      rateLimitTestPerSecond: 1,
      cardTestingDeclinesPerGroup: 5,
    };
    const limits = openLimits(
      { ...settings, cardTestingDeclinesPerClient: 3, apiKeyPepper: pepper },
      bus,
      () => 0,
    );
    closing.push(() => Promise.all(limits.listeners.map((closable) => closable.close())));
    const { signal } = new AbortController();
    const sent: Record<string, string> = {};
    const ask = (id: 'listGroupPayments' | 'payGroupPayment', merchantId = 'm1', o: Asked = {}) => {
      const setHeader = (name: string, value: string) => void (sent[name] = value);
      const head = { params: { id: o.group ?? 'g' }, remoteAddress: o.from ?? '203.0.113.9', setHeader };
      try {
        limits.admit(head as never, makeCaller(merchantId, o), { id } as never);
        return 'in';
      } catch (error) {
        return error instanceof AppError ? sent['RateLimit-Reason'] : String(error);
      }
    };
    // Its own words come back once the server knows what it listens to.
    await waitUntilReceived(bus, ask);
    return { bus, ask, ...limits, share: () => limits.sharing.runOnce(signal) };
  }
  type Asked = { group?: string; from?: string; kind?: string; own?: string };
  const makeCaller = (merchantId: string, { kind = 'secret_key', own = 'g' }: Asked) =>
    ({
      kind,
      merchantId,
      mode: 'test',
      ...(kind === 'secret_key' ? { principal: 'secret' } : { principal: `session:${own}`, groupId: own }),
    }) as Caller;

  /** Waits until a replica has received all that was announced before; every look at a bucket draws from it. */
  async function waitUntilReceived(by: Bus, ask: (id: 'listGroupPayments', merchantId: string) => unknown) {
    const round = randomUUID();
    const spent = Array.from({ length: 1_000 }, (_, n) => [`test ${round}-${n}`, 3]);
    by.announce('note.api_gateway.limits.spent.v1', { from: 'test', spent });
    let n = 0;
    await eventually(() => (ask('listGroupPayments', `${round}-${n++}`) === 'test_rate' ? true : undefined));
  }

  it('replicas share one bucket', async () => {
    const [a, b] = [await replica(), await replica()];
    for (let n = 0; n < 3; n++) expect(a.ask('listGroupPayments')).toBe('in');
    expect(a.ask('listGroupPayments', 'm2')).toBe('in');
    await a.share();
    for (const { ask } of [a, b]) await waitUntilReceived(a.bus, ask);
    expect(b.ask('listGroupPayments')).toBe('test_rate');
    // A replica ignores its own report: nothing is taken twice.
    for (const { ask } of [a, b])
      for (const answer of ['in', 'in', 'test_rate']) expect(ask('listGroupPayments', 'm2')).toBe(answer);
  });

  it('a replica that admits nothing announces nothing and rests until it does', async () => {
    const one = await replica();
    const wakes: (number | undefined)[] = [];
    one.sharing.onWake?.((withinMs) => void wakes.push(withinMs));
    await one.share();
    expect([await one.share(), wakes]).toEqual(['empty', []]);
    for (let n = 0; n < 2; n++) expect(one.ask('listGroupPayments', 'rested')).toBe('in');
    expect(wakes).toEqual([100]);
    expect([await one.share(), await one.share()]).toEqual(['idle', 'empty']);
    one.bus.announce(declined('rested').subject, declined('rested').payload);
    await eventually(() => wakes.length === 2 || undefined);
  });

  it('a client that one replica served is blocked by all, and by one that starts later', async () => {
    const [a, b] = [await replica(), await replica()];
    const browser = { kind: 'session_token', from: '2001:db8::1' };
    const head = { remoteAddress: browser.from } as never;
    for (let n = 0; n < 3; n++) {
      a.notePayment(head, makeCaller('m1', browser), `intent${n}`);
      // Each in a group of its own, so that only the client can be what is blocked.
      a.bus.announce(declined('x').subject.replace(/x$/, `g${n}`), {
        ...declined(`g${n}`, { intentId: `intent${n}` }).payload,
      });
    }
    await eventually(() =>
      a.ask('payGroupPayment', 'm1', browser) === 'too_many_declines' ? true : undefined,
    );
    await a.share();
    const sameNetwork = { ...browser, from: '2001:db8::ffff' };
    await eventually(() =>
      b.ask('payGroupPayment', 'm1', sameNetwork) === 'too_many_declines' ? true : undefined,
    );
    expect(b.ask('payGroupPayment', 'm1', { ...browser, from: '2001:db9::1' })).toBe('in');
    expect(b.ask('payGroupPayment', 'm2', { from: browser.from })).toBe('in');
    const late = await replica();
    await late.share();
    await eventually(() =>
      late.ask('payGroupPayment', 'm1', browser) === 'too_many_declines' ? true : undefined,
    );
  });

  it('a token is sent of its own group alone, whatever group its path names', async () => {
    const a = await replica();
    for (let n = 0; n < 5; n++) {
      const { subject, payload } = declined('blocked');
      a.bus.announce(subject, payload);
    }
    const stranger = { kind: 'session_token', own: 'other', group: 'blocked' };
    // Each look-up is another merchant's: a single merchant would soon reach the limit of requests.
    let looks = 0;
    await eventually(() => {
      const answer = a.ask('payGroupPayment', `looks${looks++}`, { group: 'blocked' });
      return answer === 'too_many_declines' || undefined;
    });
    expect(a.ask('payGroupPayment', 'm2', stranger)).toBe('in');
    expect(a.ask('payGroupPayment', 'm2', { ...stranger, own: 'blocked' })).toBe('too_many_declines');
  });

  it('notes that are not ours change nothing', async () => {
    const a = await replica();
    const marker = await replica();
    for (const junk of [
      null,
      7,
      { spent: [['test m1', -9]] },
      { from: 'x', spent: [['test m1', 1.5]] },
      { from: 'x' },
    ])
      marker.bus.announce('note.api_gateway.limits.spent.v1', junk);
    await waitUntilReceived(marker.bus, a.ask);
    for (let n = 0; n < 3; n++) expect(a.ask('listGroupPayments')).toBe('in');
  });
});
