import { publicApi, type GroupView } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { HttpResponse, Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed, readEmpty } from '../../app/input/input.ts';
import { noticeOwners } from '../../app/mail/notices.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import { cancelGroup, refundGroup, type MoneyAct } from '../../app/payments/move-money.ts';
import { moneyView } from '../../domain/money-view.ts';
import { mayHoldOrganisersLink } from '../../domain/roles.ts';
import type {
  GroupPaymentDetail,
  GroupPaymentPage,
  GroupPaymentSearch,
  ListedGroupPayment,
  RefundPreview,
  RefundResult,
} from '../api.ts';
import { readOptionalBody } from '../request/body.ts';
import { toListOptions, formatCursor } from '../request/cursor.ts';
import { detailView, itemView, listedView } from './group-payments.view.ts';
import { guards, type Member } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope, type AtMode } from '../request/per-mode.ts';
import {
  groupFilters,
  readPreviewQuery,
  readRefund,
  SearchText,
  toGroupFilter,
} from './group-payments.input.ts';

const { limit, offset, cursor } = publicApi.ListGroupPaymentsQuery.properties;
const readList = queryReader(Type.Object({ ...groupFilters, limit, offset, cursor }, closed));
const readSearch = queryReader(Type.Object({ text: SearchText }, closed));
const DEFAULT_LIMIT = 20;
const NOUN = 'group payment';

/** Routes of a mode's group payments: reading, cancelling and refunding them. */
export function groupPaymentRoutes(parts: WebParts): Route[] {
  return perMode((o) => [...readRoutes(parts, o), ...moneyRoutes(parts, o)]);
}

function readRoutes({ db, services, addresses }: WebParts, { mode, at }: AtMode): Route[] {
  const { allowed } = guards(db);
  /** Returns groups as items of a list, with the state of their money. */
  const withMoney = async (
    scope: ReturnType<typeof toScope>,
    groups: readonly GroupView[],
  ): Promise<ListedGroupPayment[]> => {
    const { sums } = await services.sumGroups({ ...scope, group_ids: groups.map(({ id }) => id) });
    const sumOf = new Map(sums.map((sum) => [sum.group_id, sum]));
    return groups.map((group) => listedView(group, sumOf.get(group.id), addresses.checkout));
  };
  const list = async (query: URLSearchParams, member: Member): Promise<GroupPaymentPage> => {
    const { limit = DEFAULT_LIMIT, offset, cursor, ...filter } = readList(query);
    if (cursor !== undefined && offset !== undefined)
      throw validationError('cursor', 'cannot be combined with offset');
    const scope = toScope(member, mode);
    const asked = {
      ...scope,
      limit,
      offset: offset ?? 0,
      ...toListOptions(cursor),
      ...toGroupFilter(filter),
    };
    const { groups, total, next } = await services.listGroups(asked);
    return {
      group_payments: await withMoney(scope, groups),
      pagination: { limit, total, next_cursor: formatCursor(next) },
    };
  };
  const search = async (text: string, member: Member): Promise<GroupPaymentSearch> => {
    const scope = toScope(member, mode);
    const [{ groups, is_cut }, found] = await Promise.all([
      services.searchGroups({ ...scope, text }),
      services.searchCustomers({ ...scope, text }),
    ]);
    const group_payments = await withMoney(scope, groups);
    return { group_payments, is_cut, customers: found.customers, is_customers_cut: found.is_cut };
  };
  const detail = async (groupId: string, member: Member): Promise<GroupPaymentDetail> => {
    const scope = toScope(member, mode);
    // The money is shown even while the dispatcher is unavailable.
    const [described, sent] = await Promise.all([
      services.describeGroup({ ...scope, group_id: groupId }),
      services.listGroupDeliveries({ ...scope, group_payment_id: groupId }).catch(() => undefined),
    ]);
    const mayHaveLinks = mayHoldOrganisersLink(member);
    return detailView(described, sent?.deliveries, { checkoutUrl: addresses.checkout, mayHaveLinks });
  };
  const preview = async (
    groupId: string,
    chosen: string[] | null,
    member: Member,
  ): Promise<RefundPreview> => {
    const request = { ...toScope(member, mode), group_id: groupId, ...(chosen && { slot_ids: chosen }) };
    const { currency, total_minor, payments } = await services.previewRefund(request);
    return {
      total: moneyView(total_minor, currency),
      payments: payments.map(({ intent_id, amount_minor, tip_minor, ...payment }) => ({
        payment_intent_id: intent_id,
        amount: moneyView(amount_minor, currency),
        ...(tip_minor !== undefined && { tip: moneyView(tip_minor, currency) }),
        ...payment,
      })),
    };
  };
  return [
    allowed('read', ['GET', at('group-payments')], async ({ query }, member) =>
      ok(await list(query, member)),
    ),
    allowed('read', ['GET', at('search')], async ({ query }, member) =>
      ok(await search(readSearch(query).text, member)),
    ),
    allowed('read', ['GET', at('group-payments/:id')], async (request, member) =>
      ok(await detail(pathId(request, NOUN), member)),
    ),
    allowed('read', ['GET', at('group-payments/:id/refund-preview')], async (request, member) =>
      ok(await preview(pathId(request, NOUN), readPreviewQuery(request.query), member)),
    ),
  ];
}

function moneyRoutes(parts: WebParts, { mode, at }: AtMode): Route[] {
  const { proved } = guards(parts.db);
  const notice = noticeOwners(parts);
  const refund = refundGroup(parts);
  const cancel = cancelGroup(parts);
  return [
    proved('payments.manage', ['POST', at('group-payments/:id/refund')], async (request, member) => {
      const groupId = pathId(request, NOUN);
      const { slot_ids } = readOptionalBody(request, readRefund);
      const slotIds = slot_ids?.map((id) => id.toLowerCase()) ?? null;
      const answer = await refund(member, { mode, groupId, key: readIdempotencyKey(request) }, slotIds);
      await notice(member, mode, 'payment.refunded');
      const body: RefundResult = {
        refunded_payment_intents: answer.refunded.map(({ intent_id }) => intent_id),
        refunded_slot_ids: answer.refunded.flatMap(({ slot_ids: ids }) => ids),
        failed: answer.failed.map(({ intent_id, psp_code, error }) => ({
          payment_intent_id: intent_id,
          psp_code,
          error,
        })),
        group_state: answer.group_state,
      };
      return ok(body);
    }),
    proved('payments.manage', ['POST', at('group-payments/:id/cancel')], async (request, member) => {
      const groupId = pathId(request, NOUN);
      readOptionalBody(request, readEmpty);
      const act: MoneyAct = { mode, groupId, key: readIdempotencyKey(request) };
      const { group } = await cancel(member, act);
      await notice(member, mode, 'payment.cancelled');
      return ok({ group_payment: itemView(group, parts.addresses.checkout) });
    }),
  ];
}

const ok = (body: unknown): HttpResponse => ({ status: 200, body });

export function readIdempotencyKey({
  headers,
}: {
  headers: Record<string, string | string[] | undefined>;
}): string | undefined {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join() : key;
}
