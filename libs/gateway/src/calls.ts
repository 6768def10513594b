import type { Card } from '@gp/gateway-registry';
import type { Mode } from '@gp/contracts';
import { failureClass, metrics, span, type Logger } from '@gp/telemetry';
import type { Accounts } from './accounts.ts';
import { openBreaker, type Breaker, type BreakerSettings } from './breaker.ts';
import { CALL_OPERATIONS, type CallOperation } from './domain/gateway-call.ts';
import type {
  GatewayAccount,
  Answer,
  EffectOperation,
  Payment,
  PaymentOrder,
  PrepareAnswer,
  QueryAnswer,
  Retryable,
  Unknown,
} from './domain/payment.ts';
import { between } from './fail-points.ts';
import type { Admission } from './fairness/merchant-queues.ts';
import type { CredentialsVerdict, PaymentGateway } from './gateway.ts';
import type { Account, Budget, Priority } from './token-bucket.ts';

const MODES: readonly Mode[] = ['test', 'live'];

export type CallSettings = { readonly callTimeoutMs: number; readonly breaker: BreakerSettings };

/** The gateway for the use cases: within budget, deadline and breaker, measured, and never throwing. */
export type Calls<C> = {
  prepare(order: PaymentOrder, account: GatewayAccount<C>, how: How): Promise<PrepareAnswer>;
  authorise(payment: Payment, card: Card, account: GatewayAccount<C>, how: How): Promise<Answer>;
  effect(
    operation: EffectOperation,
    payment: Payment,
    account: GatewayAccount<C>,
    idempotencyKey: string,
  ): Promise<Answer>;
  query(payment: Payment, account: GatewayAccount<C>): Promise<QueryAnswer>;
  /** `deadline`: epoch ms; the gateway is given less time than the caller has. */
  verify(account: GatewayAccount<C>, deadline?: number): Promise<CredentialsVerdict<C>>;
  /** Waits until a merchant may make another call, for work that has not begun and holds nothing yet. */
  admit(merchant: Account, priority: Priority): Promise<Admitted<C>>;
  close(): Promise<void>;
};

/** The calls of admitted work: the first one is counted already, and no further one waits. */
export type Admitted<C> = Admission & { readonly calls: Calls<C> };

/** The part of the caller's deadline that is kept for storing the verdict on credentials and replying. */
const RESERVE_MS = 1_000;

type How = { readonly idempotencyKey: string; /** epoch ms */ readonly deadline: number };
type Operation = CallOperation | 'query';

const latency = metrics.tracedHistogram({
  name: 'gp_gateway_call_duration_seconds',
  help: 'Time a call to a payment gateway took, by gateway, operation and kind of answer',
  unit: 'seconds',
  labels: ['psp_code', 'operation', 'outcome'],
});

/** The usual results of a call; every other result gets its series when it occurs. */
const USUAL = {
  prepare: 'prepared',
  authorise: 'approved',
  capture: 'approved',
  void: 'approved',
  refund: 'approved',
  query: 'found',
} as const satisfies Record<Operation, string>;

/** The result while the breaker is open; callers may retry when it lets a call through again. */
const refusedByBreaker = (resetMs: number): Retryable => ({
  kind: 'retryable',
  reason: 'breaker open',
  retryAfterSeconds: Math.ceil(resetMs / 1000),
});

/** Wraps a gateway with the parts that are the same for all of them. */
export function guardedCalls<C>(o: {
  gateway: PaymentGateway<C>;
  accounts: Pick<Accounts<C>, 'renewed'>;
  budget: Budget;
  settings: CallSettings;
  log: Logger;
}): Calls<C> {
  const { gateway, accounts, budget, settings, log } = o;
  for (const [operation, usual] of Object.entries(USUAL))
    for (const outcome of [usual, 'unknown']) latency.zero({ psp_code: gateway.psp, operation, outcome });
  const breakers = new Map<string, Breaker>(
    [...CALL_OPERATIONS, 'query' as const].flatMap((operation) =>
      MODES.map((mode) => [
        `${mode} ${operation}`,
        openBreaker({ psp: gateway.psp, operation, mode }, settings.breaker),
      ]),
    ),
  );

  async function perform<A extends { readonly kind: string }>(
    operation: Operation,
    about: PaymentOrder | Payment,
    call: (signal: AbortSignal) => Promise<A>,
    deadline = Infinity,
  ): Promise<A | Unknown | Retryable> {
    const timeoutMs = Math.min(settings.callTimeoutMs, deadline - Date.now());
    if (timeoutMs <= 0) return { kind: 'retryable', reason: 'no time left' };
    const attempt = (): Promise<A | Unknown> =>
      observed(operation, about, () => call(AbortSignal.timeout(timeoutMs)));
    const breaker = breakers.get(`${about.mode} ${operation}`);
    const answer = await breaker?.run(about.merchantId, attempt, ({ kind }) => kind === 'unknown');
    return answer ?? refusedByBreaker(settings.breaker.resetMs);
  }

  function observed<A extends { readonly kind: string }>(
    operation: Operation,
    about: PaymentOrder | Payment,
    call: () => Promise<A>,
  ): Promise<A | Unknown> {
    const { mode, merchantId: merchant_id, intentId: intent_id, attemptId: attempt_id } = about;
    const attributes = { psp_code: gateway.psp, operation, mode, merchant_id, intent_id, attempt_id };
    return span(`${gateway.psp} ${operation}`, { attributes }, async (running) => {
      const stop = latency.startTimer({ psp_code: gateway.psp, operation });
      const answer = await call().catch((err: unknown): Unknown => {
        // Adapters map every answer: this is a fault of ours, and the payment may still have happened.
        log.error({ ...attributes, err }, 'the gateway call failed unexpectedly');
        return { kind: 'unknown', reason: failureClass(err) };
      });
      stop({ outcome: answer.kind });
      running.set({ outcome: answer.kind });
      if (answer.kind === 'unknown') running.fail('unknown');
      return answer;
    });
  }

  /**
   * A payment keeps its account, but the merchant may have replaced the account's keys at the gateway since. A
   * call with a refused key had no effect, so the same call may follow with the newest key, under the same
   * idempotency key.
   */
  async function withLivingKey<A extends Answer | QueryAnswer>(
    account: GatewayAccount<C>,
    call: (account: GatewayAccount<C>) => Promise<A>,
  ): Promise<A> {
    const answer = await call(account);
    if (!('isKeyRefused' in answer)) return answer;
    const renewed = await accounts.renewed(account);
    return renewed ? call(renewed) : answer;
  }

  const sent = <T>(operation: CallOperation, call: () => Promise<T>): Promise<T> =>
    between(gateway.psp, `${operation}-call`, call);

  const bindCalls = (pay: Pay): Calls<C> => ({
    prepare: (order, account, { idempotencyKey, deadline }) =>
      sent('prepare', () =>
        perform(
          'prepare',
          order,
          (signal) => gateway.prepare(order, account, { idempotencyKey, signal }),
          deadline,
        ),
      ),
    authorise: (payment, card, account, { idempotencyKey, deadline }) =>
      sent('authorise', async () => {
        const authorise = gateway.authorise?.bind(gateway);
        if (!authorise) throw new Error(`${gateway.psp} does not authorise from the server`);
        const call = (signal: AbortSignal): Promise<Answer> =>
          authorise(payment, card, account, { idempotencyKey, signal });
        return perform('authorise', payment, call, deadline);
      }),
    async effect(operation, payment, account, idempotencyKey) {
      await pay(payment, operation);
      return sent(operation, () =>
        perform(operation, payment, (signal) =>
          withLivingKey(account, (living) => gateway[operation](payment, living, { idempotencyKey, signal })),
        ),
      );
    },
    async query(payment, account) {
      await pay(payment, 'query');
      const idempotencyKey = `${payment.mode}:${payment.attemptId}:query`;
      return perform('query', payment, (signal) =>
        withLivingKey(account, (living) => gateway.query(payment, living, { idempotencyKey, signal })),
      );
    },
    async verify(account, deadline = Infinity) {
      const timeoutMs = Math.min(settings.callTimeoutMs, deadline - RESERVE_MS - Date.now());
      if (timeoutMs <= 0) return { kind: 'unknown' };
      const call = { idempotencyKey: '', signal: AbortSignal.timeout(timeoutMs) };
      return gateway.verify(account, call).catch(() => ({ kind: 'unknown' }));
    },
    async admit(merchant, priority) {
      await budget.take(merchant, priority);
      return { calls: bindCalls(spendAfterFirst(budget)), giveBack: () => budget.giveBack(merchant) };
    },
    close() {
      for (const breaker of breakers.values()) breaker.close();
      return Promise.resolve();
    },
  });
  return bindCalls((account, priority) => budget.take(account, priority));
}

type Pay = (account: Account, priority: Priority) => Promise<void>;

function spendAfterFirst(budget: Budget): Pay {
  let isPaid = true;
  return (account) => {
    if (!isPaid) budget.spend(account);
    isPaid = false;
    return Promise.resolve();
  };
}
