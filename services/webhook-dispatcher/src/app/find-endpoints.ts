import type { findEndpoint as finding, listEndpoints as listing, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import * as rows from '../db/endpoints.ts';
import { endpointView } from './endpoint-view.ts';

type List = (request: RequestOf<typeof listing>) => Promise<ResponseOf<typeof listing>>;
type Find = (request: RequestOf<typeof finding>) => Promise<ResponseOf<typeof finding>>;

/** A merchant's endpoints in one mode, oldest first. */
export function listEndpoints(db: Queryable): List {
  return async (scope) => ({ endpoints: (await rows.listEndpoints(db, scope)).map(endpointView) });
}

/** One endpoint of this merchant and mode; rejects with `not_found`. */
export function findEndpoint(db: Queryable): Find {
  return async ({ id, ...scope }) => {
    const row = await rows.findEndpoint(db, scope, id);
    if (!row) throw notFound('webhook endpoint');
    return endpointView(row);
  };
}
