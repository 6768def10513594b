import type * as contracts from '@gp/contracts';
import type {
  GroupState,
  IntentState,
  PaymentHistory,
  RequestOf,
  ResponseOf,
  TransitionView,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { aheadMs } from '@gp/test-clock';
import * as rows from '../../db/lookups/describe-group.ts';
import { loadGroup, type Loaded } from '../../db/group/load-group.ts';
import { canRefund, isCollecting } from '../../domain/index.ts';
import { toScope } from '../change/change-group.ts';
import { groupWithSlots } from './views.ts';

type Describe = typeof contracts.describeGroup;
type Sum = typeof contracts.sumMoney;
type Count = typeof contracts.countOpenGroups;

const DAY_MS = 86_400_000;

/** Returns everything of one group that its merchant's members may see; not_found like `findGroup`. */
export function describeGroup(db: Db): (r: RequestOf<Describe>) => Promise<ResponseOf<Describe>> {
  return async (request) => {
    const loaded = await loadGroup(db, { groupId: request.group_id, scope: toScope(request) });
    if (!loaded) throw notFound('group payment');
    const { group, slots } = groupWithSlots(loaded.row, loaded.slotRows);
    const intentOf = new Map(loaded.slotRows.map((slot) => [slot.id, slot.intent_id]));
    const [payments, transitions, disputes, money] = await Promise.all([
      rows.listPayments(db, group.id),
      rows.listTransitions(db, group.id),
      rows.listDisputes(db, group.id),
      rows.sumPostings(db, group.id),
    ]);
    const steps = [...transitions.rows.map(transitionView), ...disputes.map(disputeView)];
    return {
      group,
      slots: slots.map((slot) => ({ ...slot, intent_id: intentOf.get(slot.id) ?? null })),
      payments: payments.map(paymentHistory),
      transitions: [...beginnings(loaded), ...steps].toSorted(byTime),
      is_cut: transitions.isCut,
      money: moneyView(money),
      can_cancel: isCollecting(loaded.group),
      can_refund: canRefund(loaded.group),
    };
  };
}

/** Sums of one day, in the merchant's time. */
export function sumMoney(db: Db): (r: RequestOf<Sum>) => Promise<ResponseOf<Sum>> {
  return async (request) => {
    const scope = toScope(request);
    const nowMs = Date.now() + (await aheadMs(db, scope));
    const since = new Date((Math.floor(nowMs / DAY_MS) - request.days + 1) * DAY_MS);
    const [days, groups] = await Promise.all([
      rows.sumByDay(db, scope, since),
      rows.countByState(db, scope, since),
    ]);
    return {
      now: new Date(nowMs).toISOString(),
      sums: days.map(({ day, currency, ...money }) => ({ day, currency, ...moneyView(money) })),
      groups: groups.map(({ state, count }) => ({ state: state as GroupState, count: Number(count) })),
    };
  };
}

/** How many groups have money on its way through each gateway. */
export function countOpenGroups(db: Db): (r: RequestOf<Count>) => Promise<ResponseOf<Count>> {
  return async (request) => {
    const counted = await rows.countOpenByGateway(db, toScope(request));
    const gateways = counted.map(({ psp_code, open_groups }) => ({
      psp_code,
      open_groups: Number(open_groups),
    }));
    return { gateways };
  };
}

function paymentHistory(row: rows.PaymentRow): PaymentHistory {
  return {
    id: row.id,
    psp_code: row.psp_code,
    state: row.state as IntentState,
    unknown: row.unknown,
    disputed: row.disputed,
    amount_minor: String(row.amount_minor),
    ...(row.tip_minor > 0n && { tip_minor: String(row.tip_minor) }),
    captured_minor: String(row.amount_captured),
    refunded_minor: String(row.amount_refunded),
    slot_ids: row.slot_ids,
    payer: { id: row.customer_id, email: row.email, name: row.name },
    failure: row.failure,
    created_at: row.created_at.toISOString(),
  };
}

/** How the group and its payments came to be: nothing was before them, so the log of transitions has no row of it. */
function beginnings({ row, intentRows }: Loaded): TransitionView[] {
  const begun = { state_from: null, is_command: true };
  const group = { ...begun, entity: 'group', state_to: 'open', actor: 'merchant' } as const;
  const payment = { ...begun, entity: 'intent', state_to: 'created', actor: 'payer' } as const;
  return [
    { ...group, ...buildNames(row) },
    ...intentRows.map((intent) => ({ ...payment, ...buildNames(intent) })),
  ];
}

const byTime = (a: TransitionView, b: TransitionView) => Date.parse(a.at) - Date.parse(b.at);

function buildNames(o: { id: string; traceparent: string | null; created_at: string }) {
  const at = new Date(o.created_at).toISOString();
  return { id: o.id, entity_id: o.id, trace_id: o.traceparent?.split('-')[1] ?? null, at };
}

function transitionView({ decided_at, ...row }: rows.TransitionRow): TransitionView {
  return { ...row, at: decided_at.toISOString() };
}

/** Shows the begin or the end of a dispute as a step of its payment, whose state stays as it is. */
function disputeView({ id, entity_id, type, psp_code, occurred_at }: rows.DisputeEventRow): TransitionView {
  const isOpen = type === 'payment_intent.disputed';
  return {
    id,
    entity: 'intent',
    entity_id,
    state_from: isOpen ? 'captured' : 'disputed',
    state_to: isOpen ? 'disputed' : 'dispute_closed',
    actor: psp_code,
    is_command: false,
    trace_id: null,
    at: occurred_at.toISOString(),
  };
}

function moneyView({ held, captured, refunded }: rows.MoneyRow) {
  return {
    held_minor: String(held),
    captured_minor: String(captured),
    refunded_minor: String(refunded),
  };
}
