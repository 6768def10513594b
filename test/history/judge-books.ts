import type { BookedPayment } from '../support/books.ts';
import type { Contradiction } from './contradiction.ts';
import { sumSlots } from './judge-api.ts';
import type { LedgerIntent, Views } from './views.ts';

/** Ends of a group in which no payer is charged. */
const NEVER_CHARGED: readonly string[] = ['expired', 'cancelled'];

/** Compares the gateways' books with the ledger: they agree, and no payer was charged twice or without a reason. */
export function booksAgree({ api, ledger, books }: Views): Contradiction[] {
  const booked = Map.groupBy(books, ({ payment_intent_id }) => payment_intent_id);
  const known = new Set(ledger.intents.map(({ id }) => id));
  const byGroup = Map.groupBy(ledger.intents, ({ group_id }) => group_id);
  const findBookedPayments = (intents: readonly LedgerIntent[]) =>
    intents.flatMap(({ id }) => booked.get(id) ?? []);
  return [
    ...[...booked.entries()].flatMap(([id, payments]) =>
      known.has(id) || total(payments, 'authorised_minor') === 0n
        ? []
        : [`the books hold money for payment ${id}, of which the ledger knows nothing`],
    ),
    ...ledger.intents.flatMap((intent) => paymentAgrees(intent, booked.get(intent.id) ?? [])),
    ...api.flatMap((group) => {
      const { id, state } = group.group_payment;
      const payments = findBookedPayments(byGroup.get(id) ?? []);
      const taken = total(payments, 'captured_minor') - total(payments, 'refunded_minor');
      if (NEVER_CHARGED.includes(state) && total(payments, 'captured_minor') > 0n)
        return [`group ${id} is ${state} and ${taken} was captured`];
      const owed = sumSlots(group, (slot) => slot === 'captured') + sumTips(byGroup.get(id) ?? []);
      return taken === owed
        ? []
        : [`group ${id} shows ${owed} captured with its tips, the gateways took ${taken}`];
    }),
  ];
}

/** The tips of the payments that are captured and not refunded: no slot has them (Q91). */
function sumTips(intents: readonly LedgerIntent[]): bigint {
  return intents
    .filter(({ state }) => state === 'captured' || state === 'refund_pending')
    .reduce((sum, { tip_minor }) => sum + BigInt(tip_minor), 0n);
}

function paymentAgrees(intent: LedgerIntent, payments: readonly BookedPayment[]): Contradiction[] {
  const name = `payment ${intent.id} (${intent.state}, ${intent.psp_code})`;
  const [captured, refunded] = [total(payments, 'captured_minor'), total(payments, 'refunded_minor')];
  // A hold whose capture was refused is kept for an operator, until shortly before it dies (D4, D5).
  const isHolding = payments.some(({ status }) => status === 'authorised');
  return [
    ...(captured === BigInt(intent.amount_captured)
      ? []
      : [
          `${name}: ledger captured ${intent.amount_captured}, gateway ${captured}; ${describeHistory(payments)}`,
        ]),
    ...(refunded === BigInt(intent.amount_refunded)
      ? []
      : [
          `${name}: ledger refunded ${intent.amount_refunded}, gateway ${refunded}; ${describeHistory(payments)}`,
        ]),
    ...(isHolding && intent.state !== 'capture_failed'
      ? [`${name}: a hold was never released; ${describeHistory(payments)}`]
      : []),
    ...payments.flatMap((payment) =>
      ['authorise', 'capture', 'void', 'refund']
        .filter((operation) => effects(payment, operation) > 1)
        .map(
          (operation) =>
            `${name}: ${operation} took effect ${effects(payment, operation)} times; ${describeHistory([payment])}`,
        ),
    ),
  ];
}

/** The calls that the gateway received, to find the cause of a difference. */
const describeHistory = (payments: readonly BookedPayment[]): string =>
  payments
    .map(({ psp_reference, status, calls }) => {
      const told = calls.map(({ operation, outcome, at }) => `${operation} ${outcome} ${at}`);
      return `${psp_reference} ${status}: ${told.join(', ')}`;
    })
    .join('; ');

const effects = ({ calls }: BookedPayment, operation: string) =>
  calls.filter((call) => call.operation === operation && call.outcome === 'ok').length;

function total(
  payments: readonly BookedPayment[],
  amount: 'authorised_minor' | 'captured_minor' | 'refunded_minor',
): bigint {
  return payments.reduce((sum, payment) => sum + BigInt(payment[amount]), 0n);
}
