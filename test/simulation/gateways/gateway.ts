import type { Mode } from '@gp/contracts';
import type {
  GatewayAccount,
  Answer,
  Call,
  Payment,
  PaymentGateway,
  QueryAnswer,
  Retryable,
  Unknown,
} from '@gp/gateway';
import { findManifest } from '@gp/gateway-registry';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from '../world/faults.ts';
import type { Process } from '../world/process.ts';
import type { BookedPayment } from './payment.ts';
import type { RemoteGateway } from './remote-gateway.ts';

export type Credentials = { readonly account: string; readonly key: string; readonly secret: string };

/**
 * A callback as it travels: the signature is the secret itself with the event's id; no simulated party computes it
 * without the secret.
 */
export type CallbackBody = {
  readonly account: string;
  readonly mode: Mode;
  readonly id: string;
  readonly type: string;
  readonly reference: string;
  readonly attemptId: string | null;
  readonly isDisputed: boolean | null;
  readonly stated: {
    readonly operation: 'authorise' | 'capture';
    readonly amount: string;
    readonly currency: string;
  } | null;
};
export const sign = (secret: string, id: string): string => `${secret}:${id}`;

type Remote = {
  readonly process: Process;
  readonly world: Process;
  readonly time: VirtualTime;
  readonly faults: Faults;
};

const unknown: Unknown = { kind: 'unknown', reason: 'no answer' };
const busy: Retryable = { kind: 'retryable', reason: 'too many requests' };

/**
 * The protocol of a simulated gateway as an adapter's process sees it. It replaces the wire formats that the three real
 * adapters translate: the conformance tests check those.
 */
export function connectGateway(remote: RemoteGateway, o: Remote): PaymentGateway<Credentials> {
  const { psp } = remote;
  const { flow } = findManifest(psp);
  const scopeOf = ({ mode, credentials }: GatewayAccount<Credentials>) => ({
    account: credentials.account,
    mode,
  });
  const find = (payment: Payment, account: GatewayAccount<Credentials>): BookedPayment | undefined =>
    remote.books.find(scopeOf(account), { reference: payment.pspReference, attemptId: payment.attemptId });
  const effect =
    (operation: 'capture' | 'void' | 'refund') =>
    (payment: Payment, account: GatewayAccount<Credentials>, call: Call) =>
      send<Answer>(o, call, () => remote.effect(operation, find(payment, account), call.idempotencyKey));

  return {
    psp,
    credentials: {
      ...{ fields: ['account', 'key', 'secret'], account: 'account', callbackSecret: 'secret' },
      refuse: () => undefined,
    },
    amountRule: () => ({ exponent: 2, unit: 1n, minimum: 1n, maximum: 99_999_999n }),
    ...(flow === 'redirect' && { newReference: () => remote.newReference() }),
    prepare(order, account, call) {
      const { attemptId, amountMinor, currency, pspReference } = order;
      const named = { ...scopeOf(account), amountMinor, currency: currency.code };
      // The form of the bank's page, and the card field of a page: nothing is sent.
      if (flow !== 'embedded') return Promise.resolve({ kind: 'prepared', pspReference, client: {} });
      return send(o, call, () => {
        const known = remote.books.find(named, { reference: null, attemptId });
        const { reference } = known ?? remote.open({ ...named, attemptId, reference: remote.newReference() });
        return { kind: 'prepared', pspReference: reference, client: {} } as const;
      });
    },
    ...(flow === 'server_confirm' && {
      authorise: (payment: Payment, _card: unknown, account: GatewayAccount<Credentials>, call: Call) =>
        send<Answer>(o, call, () => authorise(remote, payment, account, o)),
    }),
    capture: effect('capture'),
    void: effect('void'),
    refund: effect('refund'),
    query: (payment, account, call) =>
      send<QueryAnswer>(o, call, () => {
        const found = find(payment, account);
        if (!found || found.visibleAtMs > o.time.nowMs) return { kind: 'absent' };
        return { kind: 'found', truth: remote.readTruth(found) };
      }),
    verify: () => Promise.resolve({ kind: 'valid' }),
    async verifyCallback({ body, headers }, findSigners) {
      const event = JSON.parse(body.toString('utf8')) as CallbackBody;
      const { account, mode } = event;
      const isSigner = (secret: string): boolean => headers['signature'] === sign(secret, event.id);
      const [first, ...more] = await findSigners({ account, mode }, isSigner);
      if (!first) return { kind: 'forged', reason: 'the signature fits nobody' };
      const { id: eventId, type: eventType, reference: pspReference, attemptId, isDisputed, stated } = event;
      return {
        kind: 'verified',
        signers: [first, ...more],
        eventId,
        eventType,
        pspReference,
        attemptId,
        isDisputed,
        ...(stated && { stated: { ...stated, amountMinor: BigInt(stated.amount) } }),
      };
    },
    ...(flow === 'redirect' && {
      browserReturn: { verify: () => Promise.resolve({ kind: 'bare' }), findReturnAddress: () => undefined },
    }),
  };
}

function authorise(
  remote: RemoteGateway,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  { time }: Remote,
): Answer {
  const { attemptId, amountMinor, currency } = payment;
  const scope = { account: account.credentials.account, mode: account.mode };
  const known = remote.books.find(scope, { reference: null, attemptId });
  const reference = known?.reference ?? remote.newReference();
  const booked =
    known ?? remote.open({ ...scope, attemptId, amountMinor, currency: currency.code, reference });
  if (!known) remote.decide(booked, time.random.chance(0.8) ? 'approve' : 'decline');
  const truth = remote.readTruth(booked);
  if (truth.failure) return { kind: 'declined', failure: truth.failure, pspReference: reference };
  const { captureBefore } = truth;
  return {
    kind: 'approved',
    pspReference: reference,
    amountMinor: truth.amountMinor,
    currency: truth.currency,
    captureBefore,
  };
}

/** The longest time that a request may still be on its way after its caller has given up, ms: less than the settle window. */
const LATEST_MS = 30_000;

/** Sends a request over a network that loses, delays and doubles requests and answers; the caller gives up with its signal. */
async function send<A>(
  { process, world, time, faults }: Remote,
  { signal }: Call,
  act: () => A,
): Promise<A | Unknown | Retryable> {
  await process.step(0);
  const { random } = time;
  const answered = await new Promise<A | Unknown | Retryable>((resolve) => {
    signal.addEventListener('abort', () => resolve(unknown), { once: true });
    const reply = (answer: A | Retryable): void => {
      if (faults.happens('gatewayAnswerLost')) return;
      time.after(random.between(5, 200), process, () => resolve(answer));
    };
    const isLate = faults.happens('gatewayLate');
    if (faults.happens('gatewayRequestLost')) return;
    time.after(isLate ? random.between(5_000, LATEST_MS) : random.between(5, 200), world, () => {
      if (faults.happens('gatewayBusy')) return reply(busy);
      const answer = act();
      reply(answer);
      if (random.chance(0.02) && !faults.isHealed)
        time.after(random.between(1, 5_000), world, () => void act());
    });
  });
  await process.step(0);
  return answered;
}
