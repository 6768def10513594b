import { gatewayChanged, type GatewayConnection, type Mode, type PspCode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { failPoint } from '@gp/service';
import { uuidv7 } from 'uuidv7';
import { insertAudit } from '../db/audit.ts';
import * as rows from '../db/gateways.ts';
import { nextRevision } from '../db/revisions.ts';
import type { Actor, DashboardParts } from './ports.ts';

type At = { readonly mode: Mode; readonly pspCode: PspCode };

/**
 * Connects a gateway: the adapter keeps the secrets and answers a version, which is all that is stored here. The first
 * gateway a merchant connects in a mode becomes the active one.
 */
export function connectGateway(
  parts: DashboardParts,
): (actor: Actor, o: At & { credentials: Record<string, string> }) => Promise<rows.GatewayRow> {
  return async (actor, { mode, pspCode, credentials }) => {
    const request = { merchant_id: actor.merchantId, mode, credentials };
    const { version } = await parts.neighbours.putCredentials(pspCode, request);
    return change(parts, actor, mode, async (tx) => {
      const connection = await rows.insertConnection(tx, {
        merchantId: actor.merchantId,
        mode,
        pspCode,
        version,
      });
      await insertAudit(tx, actor, 'gateway.connected', { mode, psp_code: pspCode, version });
      return connection;
    });
  };
}

/** Makes a connected gateway the one that new payments go to; payments under way keep theirs (B11). */
export function activateGateway(parts: DashboardParts): (actor: Actor, at: At) => Promise<rows.GatewayRow> {
  return (actor, { mode, pspCode }) =>
    change(parts, actor, mode, async (tx) => {
      const connection = await rows.activateConnection(tx, actor.merchantId, mode, pspCode);
      if (!connection) throw new AppError('no_active_gateway', { message: `${pspCode} is not connected` });
      await insertAudit(tx, actor, 'gateway.activated', {
        mode,
        psp_code: pspCode,
        version: connection.version,
      });
      return connection;
    });
}

/** Disconnects a gateway: no new payments, and complete groups that need it wait for a reconnect. */
export function disconnectGateway(parts: DashboardParts): (actor: Actor, at: At) => Promise<void> {
  return async (actor, { mode, pspCode }) => {
    const told = await parts.db.transaction(async (tx) => {
      const revoked = await rows.revokeConnections(tx, actor.merchantId, mode, pspCode);
      const news: GatewayConnection[] = [];
      for (const connection of revoked) news.push(await tell(tx, connection));
      if (revoked.length > 0)
        await insertAudit(tx, actor, 'gateway.disconnected', { mode, psp_code: pspCode });
      return news;
    });
    await hurry(parts, told);
  };
}

async function change(
  parts: DashboardParts,
  actor: Actor,
  mode: Mode,
  work: (tx: Queryable) => Promise<rows.GatewayRow>,
): Promise<rows.GatewayRow> {
  const { connection, news } = await parts.db.transaction(async (tx) => {
    // Taken first: it is the lock under which a merchant's connections in a mode change.
    await nextRevision(tx, actor.merchantId, mode);
    const changed = await work(tx);
    const told = await tell(tx, changed);
    failPoint('dashboard.gateway.before');
    return { connection: changed, news: told };
  });
  failPoint('dashboard.gateway.after');
  await hurry(parts, [news]);
  return connection;
}

/** The event is durable already; telling the ledger at once makes the next payment go by it. */
async function hurry(parts: DashboardParts, news: readonly GatewayConnection[]): Promise<void> {
  parts.wakeRelay();
  for (const connection of news) await parts.neighbours.noteGateway(connection).catch(() => undefined);
}

async function tell(tx: Queryable, row: rows.GatewayRow): Promise<GatewayConnection> {
  const payload: GatewayConnection = {
    merchant_id: row.merchantId,
    mode: row.mode,
    psp_code: row.pspCode,
    version: row.version,
    active: row.active,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
  };
  const subject = `${gatewayChanged.subject}.${row.merchantId}`;
  await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey: row.merchantId, mode: row.mode, payload }]);
  return payload;
}
