import { fitting } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import {
  findGroupOfIntent,
  findGroupOfOrganiser,
  findGroupOfPageToken,
} from '../../db/lookups/find-groups.ts';
import { listGroups as listRows } from '../../db/lookups/list-groups.ts';
import { loadGroup, type Loaded } from '../../db/group/load-group.ts';
import { findIntent as intentOf } from '../../domain/index.ts';
import { toScope } from '../change/change-group.ts';
import { groupFacts, groupView, groupWithSlots, intentView, showNames } from './views.ts';

type Find = typeof contracts.findGroup;
type FindByToken = typeof contracts.findGroupByPageToken;
type FindOrganised = typeof contracts.findOrganisedGroup;
type List = typeof contracts.listGroups;
type FindIntent = typeof contracts.findIntent;

/** One group with its slots; not_found for anything that is not this merchant's in this mode. */
export function findGroup(db: Db): (r: RequestOf<Find>) => Promise<ResponseOf<Find>> {
  return async (request) =>
    shown(await loadGroup(db, { groupId: request.group_id, scope: toScope(request) }));
}

/** The group whose page has this token: holding the token is the permission (Q25). */
export function findGroupByPageToken(
  db: Db,
): (r: RequestOf<FindByToken>) => Promise<ResponseOf<FindByToken>> {
  return async ({ page_token }) => {
    const groupId = await findGroupOfPageToken(db, page_token);
    const { group, ...found } = shown(
      groupId === undefined ? undefined : await loadGroup(db, { groupId, scope: null }),
    );
    // Whoever has the payers' link has none of the organiser's rights.
    const { organiser: _secret, ...seen } = group;
    return { ...found, group: seen };
  };
}

/** The group whose organiser's link has this token: holding the token is the permission (Q83). */
export function findOrganisedGroup(
  db: Db,
): (r: RequestOf<FindOrganised>) => Promise<ResponseOf<FindOrganised>> {
  return async ({ token }) => {
    const groupId = await findGroupOfOrganiser(db, token);
    return shown(groupId === undefined ? undefined : await loadGroup(db, { groupId, scope: null }));
  };
}

/** A page of groups, newest first; of a page that is more than a message holds, what fits. */
export function listGroups(db: Db): (r: RequestOf<List>) => Promise<ResponseOf<List>> {
  return async (request) => {
    const { groups, total, next } = await listRows(db, {
      ...toScope(request),
      state: request.state ?? null,
      orderId: request.merchant_order_id ?? null,
      reference: request.client_reference ?? null,
      payerEmail: request.customer_email?.trim().toLowerCase() ?? null,
      payerId: request.customer_id ?? null,
      isDisputed: request.disputed ?? false,
      pairs: request.metadata ?? [],
      createdAfter: request.created_after ?? null,
      createdBefore: request.created_before ?? null,
      withoutTotal: request.without_total ?? false,
      limit: request.limit,
      offset: request.offset,
      after: request.after ?? null,
    });
    const views = fitting(groups.map(groupView));
    // Taken from the row: a view's instant has lost its microseconds.
    const last = views.length < groups.length ? groups[views.length - 1] : undefined;
    return { groups: views, total, next: last ? { created_at: last.created_at, id: last.id } : next };
  };
}

/** One payment intent; not_found for anything that is not this merchant's in this mode. */
export function findIntent(db: Db): (r: RequestOf<FindIntent>) => Promise<ResponseOf<FindIntent>> {
  return async (request) => {
    const scope = toScope(request);
    const groupId = await findGroupOfIntent(db, scope, request.intent_id);
    const loaded = groupId === undefined ? undefined : await loadGroup(db, { groupId, scope });
    const intent = loaded && intentOf(loaded.group, request.intent_id);
    if (!loaded || !intent) throw notFound('payment intent');
    return intentView(loaded.group, intent);
  };
}

function shown(loaded: Loaded | undefined) {
  if (!loaded) throw notFound('group payment');
  const { group, slots } = groupWithSlots(loaded.row, loaded.slotRows);
  return { group, slots: showNames(loaded.group, slots), facts: groupFacts(loaded.group) };
}
