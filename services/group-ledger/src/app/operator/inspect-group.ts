import type { inspectGroup as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { readGroupWhole } from '../../db/lookups/inspect-group.ts';

type Contract = typeof contract;

/** Everything that is stored of a group, for a person who has to understand it. */
export function inspectGroup(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async ({ group_id }) => {
    const whole = await readGroupWhole(db, group_id);
    if (!whole) throw notFound('group payment');
    return whole;
  };
}
