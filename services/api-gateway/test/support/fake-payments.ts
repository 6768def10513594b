import type { listPayments, PaymentView, RequestOf, ResponseOf } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';

const payment: PaymentView = {
  id: uuidv7(),
  psp_code: 'gateway_b',
  state: 'captured',
  unknown: false,
  disputed: false,
  amount_minor: '1050',
  captured_minor: '1050',
  refunded_minor: '0',
  slot_ids: [uuidv7()],
  customer_id: uuidv7(),
  email: 'ana@example.com',
  name: 'Ana',
  psp_reference: 'pay_1',
  failure: null,
  created_at: '2026-01-02T03:04:05.678Z',
};
/** The payer of every payment. */
export const fakePayerId = payment.customer_id;

const payments: readonly PaymentView[] = [
  payment,
  {
    ...payment,
    id: uuidv7(),
    state: 'failed',
    captured_minor: '0',
    name: null,
    psp_reference: null,
    failure: { code: 'card_declined', message: 'the card was declined', retryable: true },
  },
];

/** Two payments of every group: one captured, one declined. */
export function fakePayments({
  after,
  limit,
}: Pick<RequestOf<typeof listPayments>, 'after' | 'limit'>): Omit<
  ResponseOf<typeof listPayments>,
  'currency'
> {
  const from = after ? payments.findIndex(({ id }) => id === after.id) + 1 : 0;
  const page = payments.slice(from, from + limit);
  const last = from + limit < payments.length ? page.at(-1) : undefined;
  return { payments: page, next: last ? { created_at: last.created_at, id: last.id } : null };
}
