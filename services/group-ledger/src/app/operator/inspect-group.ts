import type { inspectGroup as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { readGroupWhole } from '../../db/lookups/inspect-group.ts';

type Contract = typeof contract;

/** Returns everything that is stored of a group, for an operator's investigation. */
export function inspectGroup(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async ({ group_id }) => {
    const whole = await readGroupWhole(db, group_id);
    if (!whole) throw notFound('group payment');
    return whole;
  };
}
