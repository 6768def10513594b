import { eventually } from '@gp/testing';
import type { Operation } from './faults.ts';
import type { Page, Ticket } from './ledger.ts';
import type { BookedPayment } from './sandbox.ts';
import type { World } from './world.ts';

type Journey = (world: World, ticket: Ticket) => Promise<void>;

/** How far a payment goes so that an operation is really used. */
export function chooseJourney(operation: Operation): Journey {
  switch (operation) {
    case 'void':
      return async (world, ticket) => {
        await hold(world, ticket);
        await release(world, ticket);
      };
    case 'refund':
      return async (world, ticket) => {
        await hold(world, ticket);
        await captureHeld(world, ticket);
        await refundCaptured(world, ticket);
      };
    case 'query':
      return async (world, ticket) => {
        await world.sandbox.setFault(world.subject.psp, ticket.intent_id, {
          operation: 'authorise',
          fault: 'drop_response',
        });
        await hold(world, ticket);
        await captureHeld(world, ticket);
      };
    default:
      return async (world, ticket) => {
        await hold(world, ticket);
        await captureHeld(world, ticket);
      };
  }
}

/** A payment of the shop's page: prepared (again when that failed), paid once, then looked after. */
async function hold(world: World, ticket: Ticket): Promise<void> {
  const { ledger } = world;
  const client = await eventually(() => world.prepare(ticket), { withinMs: 6_000 }).catch(() => undefined);
  if (client) await world.pay(ticket, client);
  await settleHold(world, ticket);
  const page = ledger.page(ticket);
  const isWrong = page.hold === 'held' && page.heldMinor !== Number(ticket.amount_minor);
  if (isWrong) await release(world, ticket);
}

/** Like the reservation's timer: a payment that is still open after a while is queried, and then released. */
async function settleHold({ ledger }: World, ticket: Ticket): Promise<void> {
  const isDecided = ({ hold, isReleased }: Page): boolean => hold === 'held' || hold === 'none' || isReleased;
  const decided = await ledger.until(ticket, isDecided, 5_000).catch(() => undefined);
  if (decided) return;
  await ledger.order(ticket, 'void', { unlessAuthorised: true });
  await ledger.until(ticket, ({ orders }) => orders.void?.isOpen === false);
}

async function captureHeld({ ledger }: World, ticket: Ticket): Promise<void> {
  const { hold, isReleased } = ledger.page(ticket);
  if (hold !== 'held' || isReleased) return;
  await ledger.order(ticket, 'capture');
  await ledger.until(ticket, ({ orders }) => orders.capture?.isOpen === false);
}

async function refundCaptured({ ledger }: World, ticket: Ticket): Promise<void> {
  if (ledger.page(ticket).capturedMinor === 0) return;
  await ledger.order(ticket, 'refund');
  await ledger.until(ticket, ({ orders }) => orders.refund?.isOpen === false);
}

async function release({ ledger }: World, ticket: Ticket): Promise<void> {
  await ledger.order(ticket, 'void');
  await ledger.until(ticket, ({ orders }) => orders.void?.isOpen === false);
}

/** Resolves when the ledger and the gateway agree and nothing is under way any more. */
export async function converged(
  world: World,
  ticket: Ticket,
): Promise<{ page: Page; payments: readonly BookedPayment[] }> {
  let last: unknown;
  return eventually(
    async () => {
      const payments = await world.sandbox.books(ticket.intent_id);
      const page = world.ledger.page(ticket);
      last = { books: summarizePayments(payments), ledger: summarizePage(page) };
      const isQuiet = payments.every(
        ({ pending_step, callbacks }) =>
          pending_step === null && callbacks.every(({ state }) => state !== 'due' && state !== 'sending'),
      );
      return isQuiet && isSame(page, payments) ? { page, payments } : undefined;
    },
    { withinMs: 60_000 },
  ).catch((cause: unknown) => {
    // The books disagree, which is no timeout: the caller does not try again.
    throw new Error(`ledger and gateway disagree: ${JSON.stringify(last)}`, { cause });
  });
}

const sum = (payments: readonly BookedPayment[], pick: (p: BookedPayment) => number): number =>
  payments.reduce((total, payment) => total + pick(payment), 0);

function isSame(page: Page, payments: readonly BookedPayment[]): boolean {
  const isHeld = payments.some(({ status }) => status === 'authorised');
  const believesHeld = page.hold === 'held' && !page.isReleased && page.capturedMinor === 0;
  return (
    sum(payments, (p) => p.captured_minor) === page.capturedMinor &&
    sum(payments, (p) => p.refunded_minor) === page.refundedMinor &&
    (isHeld === believesHeld || isReversed(page, payments))
  );
}

/** A capture the scheme took back leaves nothing held and nothing taken. */
const isReversed = (page: Page, payments: readonly BookedPayment[]): boolean =>
  page.outcomes.some(({ operation, status }) => operation === 'capture' && status === 'failed') &&
  payments.every(({ status }) => status !== 'authorised' && status !== 'captured');

const summarizePayments = (payments: readonly BookedPayment[]) =>
  payments.map(({ status, authorised_minor, captured_minor, refunded_minor, calls, callbacks }) => ({
    status,
    authorised_minor,
    captured_minor,
    refunded_minor,
    calls: calls.map(({ operation, outcome, fault }) => `${operation} ${outcome} ${fault ?? ''}`),
    callbacks: callbacks.map(({ type, state }) => `${type} ${state}`),
  }));

const summarizePage = ({ hold, heldMinor, capturedMinor, refundedMinor, isReleased, outcomes }: Page) => ({
  hold,
  heldMinor,
  capturedMinor,
  refundedMinor,
  isReleased,
  outcomes: outcomes.map(
    ({ operation, status, source, operation_id }) =>
      `${operation} ${status} ${source} ${operation_id ? 'ours' : '-'}`,
  ),
});
