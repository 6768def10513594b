import { instant, instantOrNull, isoText, parse, text, type Handler } from './schema.ts';
import { claimMessage, insertMessages, raiseTask } from './outbox.ts';
import { ConstraintViolation } from './table.ts';
import type {
  AttemptRow,
  Bundle,
  CommandRow,
  CustomerRow,
  EventRow,
  IntentRow,
  Json,
  LedgerTables,
  OrderRow,
  PostingRow,
  SlotRow,
} from './ledger-tables.ts';

type RequestRows = {
  readonly inbox: readonly { consumer: string; message_id: string }[];
  readonly command: readonly CommandRow[];
  readonly customer: readonly { id: string; email: string; name: string | null }[];
};

const textOfInstant = (value: unknown): string | null => {
  const ms = instantOrNull(value);
  return ms === null ? null : isoText(ms);
};

/** `ledger.save-decision`: the version check first, everything else only if it held. */
export const saveDecision: Handler<LedgerTables> = (tables, values, moment) => {
  const bundle = tables.groups.get(text(values[0]));
  if (!bundle || bundle.group.version !== values[1]) return [{ written: 0n }];
  const decidedAt = isoText(instant(values[9]));
  const traceparent = values[22] as string | null;
  const slots = parse<SlotRow[]>(values[10]);
  const next: Bundle = {
    group: {
      ...bundle.group,
      state: text(values[2]),
      expired_at: textOfInstant(values[3]),
      cancelled_at: textOfInstant(values[4]),
      capture_stopped_at: textOfInstant(values[5]),
      version: values[6] as number,
      sequence: values[7],
      refund_number: values[8],
      updated_at: decidedAt,
      expires_at: textOfInstant(values[23]),
      ...(values[24] !== null && { group_name: values[24], metadata: values[25] && parse(values[25]) }),
    },
    slots: bundle.slots.map((slot) => {
      const change = slots.find(({ sequence_no }) => sequence_no === slot.sequence_no);
      return change ? { ...slot, ...change, updated_at: decidedAt } : slot;
    }),
    intents: upsert(bundle.intents, parse<IntentRow[]>(values[11]).map(readIntent), UPDATED_OF_INTENTS, {
      traceparent,
    }),
    attempts: upsert(bundle.attempts, parse<AttemptRow[]>(values[12]).map(readAmounts), UPDATED_OF_ATTEMPTS),
    orders: upsert(bundle.orders, parse<OrderRow[]>(values[13]).map(readOrder), UPDATED_OF_ORDERS),
    postings: append(bundle.postings, parse<PostingRow[]>(values[14])),
    transitions: append(bundle.transitions, parse<Json[]>(values[15])),
    events: append(bundle.events, parse<EventRow[]>(values[16])),
  };
  assertConstraints(next);
  tables.groups.put(next);
  for (const { id } of next.intents)
    if (!tables.intentGroups.has(id)) tables.intentGroups.put({ id, groupId: bundle.group.id });
  for (const { key, code } of parse<{ key: string; code: string }[]>(values[17]))
    raiseTask(tables, key, code);
  saveRequest(tables, next, parse(values[18]));
  insertMessages(tables, values.slice(26), moment);
  return [{ written: 1n }];
};

function saveRequest(tables: LedgerTables, { group }: Bundle, rows: RequestRows): void {
  const { id: group_id, merchant_id, mode } = group;
  for (const { consumer, message_id } of rows.inbox) claimMessage(tables, consumer, message_id);
  for (const command of rows.command) {
    const known = tables.commands.get(command.id);
    if (!known) tables.commands.put({ ...command, group_id });
    else if (known.group_id === group_id && known.fingerprint === command.fingerprint)
      tables.commands.put({ ...known, intent_id: command.intent_id });
  }
  for (const customer of rows.customer) saveCustomer(tables, { ...customer, merchant_id, mode });
}

function saveCustomer({ customers }: LedgerTables, customer: CustomerRow): void {
  const known = customers.get(`${customer.merchant_id} ${customer.mode} ${customer.email}`);
  if (known && known.id !== customer.id) throw new ConstraintViolation('customers_are_known_by_email');
  if (!known) customers.put(customer);
  else if (customer.name !== null) customers.put({ ...known, name: customer.name });
}

const UPDATED_OF_INTENTS = [
  ...['state', 'unknown', 'winning_attempt_id', 'declines', 'renewals', 'capture_before'],
  ...['amount_captured', 'amount_refunded', 'disputed', 'shown_name', 'superseded_by', 'failure', 'slot_ids'],
];
const UPDATED_OF_ATTEMPTS = [
  ...['state', 'amount_minor', 'amount_captured', 'amount_refunded', 'capture_before', 'psp_reference'],
];
const UPDATED_OF_ORDERS = [
  ...[
    'attempt_id',
    'operation_id',
    'seq',
    'state',
    'requested_at',
    'unless_authorised',
    'amount_minor',
    'failure',
  ],
];

function upsert<Row extends Json & { readonly id: string }>(
  rows: readonly Row[],
  changes: readonly Row[],
  updated: readonly string[],
  added: Json = {},
): readonly Row[] {
  if (changes.length === 0) return rows;
  const next = [...rows];
  for (const change of changes) {
    const at = next.findIndex(({ id }) => id === change.id);
    if (at < 0) next.push({ ...change, ...added });
    else
      next[at] = { ...(next[at] as Row), ...Object.fromEntries(updated.map((name) => [name, change[name]])) };
  }
  return next;
}

const append = <Row>(rows: readonly Row[], more: readonly Row[]): readonly Row[] =>
  more.length === 0 ? rows : [...rows, ...more];

/** Amounts travel as text and are bigint columns, which `to_jsonb` writes as numbers. */
function readAmount<Row extends Json>(row: Row): Row {
  return typeof row['amount_minor'] === 'string'
    ? { ...row, amount_minor: Number(row['amount_minor']) }
    : row;
}

/** The amounts of an intent, or of an authorization. */
function readAmounts<Row extends Json>(row: Row): Row {
  const [amount_captured, amount_refunded] = [Number(row['amount_captured']), Number(row['amount_refunded'])];
  return { ...readAmount(row), amount_captured, amount_refunded };
}

function readIntent(row: IntentRow): IntentRow {
  return readAmounts({ ...row, tip_minor: Number(row['tip_minor'] as unknown) });
}

function readOrder(row: OrderRow): OrderRow {
  const absent = { unless_authorised: null, refund_id: null, refund_number: null, source: null };
  return readAmount({ ...absent, amount_minor: null, failure: null, ...row });
}

const IN_HAND = new Set(['started', 'waiting', 'unknown']);
const HOLDING = new Set(['preauthorised', 'capture_pending', 'captured', 'refund_pending', 'refunded']);

/** The constraints that could refuse what a decision writes. */
function assertConstraints({ intents, attempts, orders, events }: Bundle): void {
  const captures = orders.filter(({ kind }) => kind === 'capture').map(({ intent_id }) => intent_id);
  assertUnique(captures, 'orders_capture_an_intent_once');
  const voids = orders.filter(({ kind }) => kind === 'void').map(({ attempt_id }) => attempt_id);
  assertUnique(voids, 'orders_void_an_attempt_once');
  const refunds = orders.filter(({ kind, state }) => kind === 'refund' && IN_HAND.has(state));
  assertUnique(
    refunds.map(({ intent_id }) => intent_id),
    'orders_refund_an_intent_one_at_a_time',
  );
  assertUnique(
    attempts.map(({ intent_id, seq }) => `${intent_id} ${seq}`),
    'attempts_of_an_intent_are_numbered',
  );
  assertUnique(
    events.map(({ sequence }) => String(sequence)),
    'events_have_one_place_in_their_group',
  );
  const facts = events.map(({ type, subject_id, group_version }) => `${type} ${subject_id} ${group_version}`);
  assertUnique(facts, 'events_tell_a_fact_once');
  for (const intent of intents) {
    if (HOLDING.has(intent.state) && intent['winning_attempt_id'] === null)
      throw new ConstraintViolation('intents_holding_have_a_winner');
    if (Number(intent['amount_refunded']) > Number(intent['amount_captured']))
      throw new ConstraintViolation('intents_give_back_at_most_what_they_took');
  }
}

function assertUnique(keys: readonly string[], constraint: string): void {
  if (keys.length > 1 && new Set(keys).size !== keys.length) throw new ConstraintViolation(constraint);
}
