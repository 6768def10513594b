import type { findEndpoint as finding, listEndpoints as listing, RequestOf, ResponseOf } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import * as rows from '../../db/endpoints.ts';
import { endpointView } from './endpoint-view.ts';
import { knownEndpoint } from './open-endpoint.ts';

type List = (request: RequestOf<typeof listing>) => Promise<ResponseOf<typeof listing>>;
type Find = (request: RequestOf<typeof finding>) => Promise<ResponseOf<typeof finding>>;

/** A merchant's endpoints in one mode, oldest first. */
export function listEndpoints(db: Queryable): List {
  return async (scope) => ({ endpoints: (await rows.listEndpoints(db, scope)).map(endpointView) });
}

/** One endpoint of this merchant and mode; rejects with `not_found`. */
export function findEndpoint(db: Queryable): Find {
  return async ({ id, ...scope }) => endpointView(await knownEndpoint(db, scope, id));
}
