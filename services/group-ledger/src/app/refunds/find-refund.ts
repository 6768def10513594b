import type { findRefund as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { loadGroup } from '../../db/group/load-group.ts';
import { toScope } from '../change/change-group.ts';
import { refundView } from './refund-view.ts';

type Contract = typeof contract;

/** A refund as it is now; not_found for anything that is not this merchant's in this mode. */
export function findRefund(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const loaded = await loadGroup(db, { groupId: request.group_id, scope: toScope(request) });
    const view = loaded && refundView(loaded.group, request.refund_id);
    if (!view) throw notFound('refund');
    return view;
  };
}
