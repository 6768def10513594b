import { on, type Bus, type SubscribeOptions } from '@gp/bus';
import {
  gatewayOperation,
  outcomeRecorded,
  recordOutcome,
  type GatewayOperation,
  type GatewayOperationName,
  type IntentView,
  type Outcome,
  type PspCode,
} from '@gp/contracts';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';

export type Ticket = Omit<
  GatewayOperation,
  'operation' | 'operation_id' | 'seq' | 'not_after' | 'unless_authorised'
>;
type Effect = 'capture' | 'void' | 'refund';
type Order = {
  seq: number;
  operationId: string;
  isOpen: boolean;
  unlessAuthorised: boolean;
  notAfter?: Date;
};

/** This ledger's view of one payment: the sum of the adapter's messages. */
export type Page = {
  readonly ticket: Ticket;
  hold: 'waiting' | 'unknown' | 'authenticating' | 'held' | 'none';
  heldMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  isReleased: boolean;
  isDisputed: boolean;
  readonly outcomes: Outcome[];
  readonly orders: Partial<Record<Effect, Order>>;
};

/**
 * The least that an adapter needs at its other end: receives outcomes on both ways, queries open calls, repeats calls
 * that had no effect. It knows nothing of groups or slots.
 */
export type TestLedger = {
  open(ticket: Ticket): Page;
  order(
    ticket: Ticket,
    operation: Effect,
    o?: { unlessAuthorised?: boolean; notAfter?: Date },
  ): Promise<void>;
  ask(ticket: Ticket): Promise<void>;
  /** Publishes the very last order of an operation once more. */
  repeat(ticket: Ticket, operation: Effect): Promise<void>;
  /** Resolves with the page once it looks as wanted, driving open questions and retries meanwhile. */
  until(ticket: Ticket, wanted: (page: Page) => boolean, withinMs?: number): Promise<Page>;
  page(ticket: Ticket): Page;
};

/** Between two questions about the same payment. */
const ASK_MS = 300;

export function openLedger(bus: Bus, psp: PspCode): TestLedger {
  const pages = new Map<string, Page>();
  const seen = new Set<string>();

  const publish = (
    operation: GatewayOperationName,
    ticket: Ticket,
    o: Omit<Order, 'isOpen'>,
  ): Promise<void> =>
    bus.publish({
      id: uuidv7(),
      subject: gatewayOperation(psp, operation).subject,
      mode: ticket.mode,
      payload: {
        ...ticket,
        operation,
        operation_id: o.operationId,
        seq: o.seq,
        not_after: o.notAfter?.toISOString() ?? null,
        unless_authorised: o.unlessAuthorised,
      },
    });

  const findPage = (ticket: Ticket): Page => {
    const page = pages.get(ticket.attempt_id);
    if (!page) throw new Error('no such payment');
    return page;
  };

  const applyOutcome = (outcome: Outcome): IntentView['state'] => {
    const page = outcome.attempt_id === null ? undefined : pages.get(outcome.attempt_id);
    if (!page) return 'failed';
    if (!seen.has(outcome.message_id)) {
      seen.add(outcome.message_id);
      page.outcomes.push(outcome);
      apply(page, outcome);
    }
    const isWanted = page.hold === 'held' && page.heldMinor === Number(page.ticket.amount_minor);
    if (page.hold === 'authenticating' && !page.isReleased) return 'processing';
    return isWanted ? 'preauthorised' : 'void_pending';
  };

  bus.serve(recordOutcome, (outcome) => Promise.resolve(buildVerdict(outcome, applyOutcome(outcome))));
  const options: SubscribeOptions<Outcome> = {
    durable: `ledger-of-${psp}`,
    maxInFlight: 100,
    onDead: ({ reason }) => Promise.reject(new Error(reason)),
  };
  bus.consume(on(outcomeRecorded, options, (outcome) => Promise.resolve(applyOutcome(outcome))));

  const order: TestLedger['order'] = async (
    ticket,
    operation,
    { unlessAuthorised = false, notAfter } = {},
  ) => {
    const page = findPage(ticket);
    const seq = (page.orders[operation]?.seq ?? 0) + 1;
    const next = {
      seq,
      operationId: uuidv7(),
      isOpen: true,
      unlessAuthorised,
      ...(notAfter && { notAfter }),
    };
    page.orders[operation] = next;
    await publish(operation, ticket, next);
  };
  const ask: TestLedger['ask'] = (ticket) =>
    publish('query', ticket, { seq: 1, operationId: ticket.attempt_id, unlessAuthorised: false });

  const repeat: TestLedger['repeat'] = async (ticket, operation) => {
    const last = findPage(ticket).orders[operation];
    if (last) await publish(operation, ticket, last);
  };
  /** As the real ledger: under the next seq what had no effect, and a refund in doubt only under its own. */
  const retry = async (ticket: Ticket, operation: Effect, answer?: Outcome['status']): Promise<void> => {
    if (answer === 'unknown' && operation === 'refund') return repeat(ticket, operation);
    if (answer !== 'retryable' && answer !== 'unknown') return;
    const { unlessAuthorised = false } = findPage(ticket).orders[operation] ?? {};
    await order(ticket, operation, { unlessAuthorised });
  };

  return {
    order,
    ask,
    repeat,
    page: findPage,
    open(ticket) {
      const page: Page = {
        ticket,
        hold: 'waiting',
        heldMinor: 0,
        capturedMinor: 0,
        refundedMinor: 0,
        isReleased: false,
        isDisputed: false,
        outcomes: [],
        orders: {},
      };
      pages.set(ticket.attempt_id, page);
      return page;
    },
    async until(ticket, wanted, withinMs = 60_000) {
      const page = findPage(ticket);
      let askedAt = Date.now();
      let heard = page.outcomes.length;
      return eventually(
        async () => {
          if (wanted(page)) return page;
          if (Date.now() - askedAt < ASK_MS) return undefined;
          askedAt = Date.now();
          if (page.hold === 'waiting' || page.hold === 'unknown') await ask(ticket);
          for (const operation of ['capture', 'void', 'refund'] as const)
            await retry(ticket, operation, findAnswer(page, operation, heard));
          heard = page.outcomes.length;
          return undefined;
        },
        { withinMs },
      );
    },
  };
}

/** The newest answer to an order that is still open. */
function findAnswer(page: Page, operation: Effect, since: number): Outcome['status'] | undefined {
  const order = page.orders[operation];
  if (!order?.isOpen) return undefined;
  return page.outcomes.slice(0, since).findLast(({ operation_id }) => operation_id === order.operationId)
    ?.status;
}

function apply(page: Page, outcome: Outcome): void {
  const { operation, status } = outcome;
  const amount = Number(outcome.amount_minor ?? 0);
  if (operation === 'authorise') return applyHold(page, status, amount);
  if (operation === 'dispute') {
    page.isDisputed = status === 'disputed';
    return;
  }
  if (status === 'retryable' || status === 'unknown') return;
  const order = page.orders[operation];
  if (order) order.isOpen = false;
  if (status === 'spared') applyHold(page, 'authorised', amount);
  if (status === 'voided' || status === 'absent' || status === 'lapsed') page.isReleased = true;
  // Without an operation of ours it is a success that was taken back.
  const isReversed = status === 'failed' && outcome.operation_id === null;
  if (operation === 'capture' && (status === 'captured' || isReversed)) page.capturedMinor = amount;
  if (operation === 'void' && status === 'captured') page.capturedMinor = amount;
  if (operation === 'refund' && status === 'refunded' && !isRepeat(page, outcome))
    page.refundedMinor += amount;
  if (operation === 'refund' && isReversed) page.refundedMinor = 0;
}

/** An order may be answered more than once with the same result (F9); the real ledger ignores the later ones. */
function isRepeat({ outcomes }: Page, { operation_id, status }: Outcome): boolean {
  if (operation_id === null) return false;
  const same = outcomes.filter((each) => each.operation_id === operation_id && each.status === status);
  return same.length > 1;
}

function applyHold(page: Page, status: Outcome['status'], amount: number): void {
  if (page.isReleased) return;
  switch (status) {
    case 'authorised':
      page.hold = 'held';
      page.heldMinor ||= amount;
      return;
    case 'lapsed':
      page.isReleased = true;
      return;
    case 'declined':
    case 'absent':
      if (page.hold !== 'held') page.hold = 'none';
      return;
    case 'unknown':
    case 'authenticating':
      if (page.hold !== 'held') page.hold = status;
      return;
    default:
      throw new Error(`a hold cannot be ${status}`);
  }
}

function buildVerdict(outcome: Outcome, state: IntentView['state']) {
  const { intent_id, merchant_id, mode, group_id, psp_code } = outcome;
  return {
    verdict: 'applied' as const,
    reason: null,
    group_state: 'partially_preauthorised' as const,
    intent: {
      id: intent_id,
      merchant_id,
      mode,
      group_id,
      psp_code,
      customer_id: group_id,
      credential_version: 1,
      amount_minor: '1',
      currency: 'EUR',
      slot_ids: [],
      state,
      unknown: false,
      failure: null,
    },
  };
}
