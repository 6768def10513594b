import type { DeliveryView, SentEvent } from '@gp/contracts';
import { findCurrency, formatMinor, parseMinor } from '@gp/money';
import type { Column } from '../request/list-file.ts';

const fromData =
  (name: string) =>
  ({ data }: SentEvent): unknown =>
    data[name];

/** Returns a column with an amount of the event in currency units with all decimals, and one with it in minor units. */
const amountColumns = (name: string): Column<SentEvent>[] => [
  [name, (event) => readAmount(event, name)?.text],
  [`${name}_minor`, (event) => readAmount(event, name)?.minor],
];

/** Columns of events: the fields that all or many of them have, and everything as JSON. */
export const EVENT_COLUMNS: readonly Column<SentEvent>[] = [
  'id',
  'type',
  'created',
  ['group_payment_id', fromData('group_payment_id')],
  ['merchant_order_id', fromData('merchant_order_id')],
  ['payment_intent_id', fromData('payment_intent_id')],
  ['refund_id', fromData('refund_id')],
  ['state', fromData('state')],
  ['psp_code', fromData('psp_code')],
  ['currency', fromData('currency')],
  ...amountColumns('amount'),
  ...amountColumns('amount_captured'),
  ...amountColumns('amount_refunded'),
  ...amountColumns('tip'),
  'data',
];

/** The amounts of an event are numbers in currency units. They have too few digits for their text to differ from what was sent. */
function readAmount({ data }: SentEvent, name: string): { text: string; minor: string } | undefined {
  const { [name]: amount, currency: code } = data;
  const currency = typeof code === 'string' ? findCurrency(code) : undefined;
  if (!currency || typeof amount !== 'number') return undefined;
  const parsed = parseMinor(String(amount), currency);
  return parsed.ok ? { text: formatMinor(parsed.minor, currency), minor: String(parsed.minor) } : undefined;
}

/** Columns of deliveries: what each came to, and its latest attempt. */
export const DELIVERY_COLUMNS: readonly Column<DeliveryView>[] = [
  'event_id',
  'event_type',
  'is_test_event',
  'state',
  'attempt_count',
  'created_at',
  'settled_at',
  'next_attempt_at',
  'resend_pending',
  ['last_attempt_at', ({ attempts: [last] }) => last?.ended_at],
  ['last_url', ({ attempts: [last] }) => last?.url],
  ['last_outcome', ({ attempts: [last] }) => last?.outcome],
  ['last_http_status', ({ attempts: [last] }) => last?.http_status],
];
