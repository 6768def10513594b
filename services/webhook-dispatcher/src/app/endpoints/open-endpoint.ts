import { AppError, notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import { findEndpoint, type EndpointRow, type Scope } from '../../db/endpoints.ts';

/** An endpoint of this merchant and mode; rejects with `not_found`. */
export async function knownEndpoint(db: Queryable, scope: Scope, id: string): Promise<EndpointRow> {
  const { merchant_id, mode } = scope;
  const row = await findEndpoint(db, { merchant_id, mode }, id);
  if (!row) throw notFound('webhook endpoint');
  return row;
}

/** The same when something is to be sent to it; rejects with `not_found`, and with `conflict` while it is disabled. */
export async function openEndpoint(db: Queryable, scope: Scope, id: string): Promise<EndpointRow> {
  const row = await knownEndpoint(db, scope, id);
  if (!row.enabled) throw new AppError('conflict', { message: 'the webhook endpoint is disabled' });
  return row;
}
