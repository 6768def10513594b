import type { Mode, PspCode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/gateways.ts';
import { lockRevisions } from '../../db/revisions.ts';
import { becomesActive, newestOfEach } from '../../domain/active-gateway.ts';
import { called, committed } from '../../fail-points.ts';
import { publishGateway } from './publish-changes.ts';
import type { Actor, DashboardParts } from '../ports.ts';

export type GatewayAt = { readonly mode: Mode; readonly pspCode: PspCode };

/**
 * Connects a gateway: the adapter keeps the secrets and returns a version, which is all that is stored here. Secrets
 * that the gateway refuses are refused here; those that it could not be asked about wait until they are verified. The
 * first gateway a merchant connects in a mode becomes the active one. Repeating it changes nothing; after a
 * disconnect it restores the connection, and the groups that wait for it go on (B11).
 */
export function connectGateway(
  parts: DashboardParts,
): (actor: Actor, o: GatewayAt & { credentials: Record<string, string> }) => Promise<rows.GatewayRow> {
  return async (actor, { mode, pspCode, credentials }) => {
    const { merchantId } = actor;
    const request = { merchant_id: merchantId, mode, credentials };
    const stored = await called('credentials', () => parts.services.putCredentials(pspCode, request));
    const { version, verified: isVerified = false } = stored;
    return changeOne(parts, actor, mode, async (tx) => {
      const connected = await rows.listConnections(tx, merchantId, mode);
      const active = isVerified && becomesActive(connected, { pspCode, version });
      const details = { mode, psp_code: pspCode, version, verified: isVerified };
      await insertAudit(tx, actor, 'gateway.connected', details);
      return rows.saveConnection(tx, { merchantId, mode, pspCode, version, active, isVerified });
    });
  };
}

/**
 * Checks at the gateway whether the newest secrets of a connection work. A connection that waited for this is used from
 * now on.
 */
export function verifyGateway(
  parts: DashboardParts,
): (actor: Actor, at: GatewayAt) => Promise<{ valid: boolean; reason: string | null }> {
  return async (actor, at) => {
    const connected = await listVersions(parts.db, actor.merchantId, at);
    return verifyVersion(parts, actor, {
      ...at,
      version: Math.max(...connected.map(({ version }) => version)),
    });
  };
}

/** Checks one version, and takes it into use when the gateway confirms it. */
export async function verifyVersion(
  parts: DashboardParts,
  actor: Actor,
  { mode, pspCode, version }: GatewayAt & { readonly version: number },
): Promise<{ valid: boolean; reason: string | null }> {
  const { merchantId } = actor;
  const asked = { merchant_id: merchantId, mode, version };
  const verdict = await parts.services.verifyCredentials(pspCode, asked);
  if (verdict.valid)
    await change(parts, actor, mode, async (tx) => {
      const connected = await rows.listConnections(tx, merchantId, mode);
      const waiting = connected.find((one) => one.pspCode === pspCode && one.version === version);
      if (!waiting || waiting.verifiedAt !== null) return [];
      const active = becomesActive(connected, { pspCode, version });
      await insertAudit(tx, actor, 'gateway.verified', { mode, psp_code: pspCode, version });
      return [await rows.saveConnection(tx, { ...waiting, active, isVerified: true })];
    });
  return verdict;
}

/** Makes a connected gateway the active one for new payments; payments under way keep theirs (B11). */
export function activateGateway(
  parts: DashboardParts,
): (actor: Actor, at: GatewayAt) => Promise<rows.GatewayRow> {
  return (actor, { mode, pspCode }) =>
    changeOne(parts, actor, mode, async (tx) => {
      const [connection] = newestOfEach(await listVersions(tx, actor.merchantId, { mode, pspCode }));
      if (!connection?.verifiedAt) throw new AppError('conflict', { message: NOT_VERIFIED });
      const { version } = connection;
      await insertAudit(tx, actor, 'gateway.activated', { mode, psp_code: pspCode, version });
      return rows.saveConnection(tx, { ...connection, active: true, isVerified: true });
    });
}

/** Disconnects a gateway: it takes no new payments, and complete groups that need it wait for a reconnect. */
export function disconnectGateway(parts: DashboardParts): (actor: Actor, at: GatewayAt) => Promise<void> {
  return async (actor, { mode, pspCode }) => {
    await change(parts, actor, mode, async (tx) => {
      const revoked = await rows.revokeConnections(tx, actor.merchantId, mode, pspCode);
      if (revoked.length > 0)
        await insertAudit(tx, actor, 'gateway.disconnected', { mode, psp_code: pspCode });
      return revoked;
    });
  };
}

const NOT_VERIFIED = 'the gateway has not confirmed these keys yet';

/** Returns every version that is connected; rejects with `no_active_gateway` when there is none. */
async function listVersions(
  db: Queryable,
  merchantId: string,
  { mode, pspCode }: GatewayAt,
): Promise<rows.GatewayRow[]> {
  const connected = await rows.listConnections(db, merchantId, mode);
  const versions = connected.filter((candidate) => candidate.pspCode === pspCode);
  if (versions.length === 0)
    throw new AppError('no_active_gateway', { message: `${pspCode} is not connected` });
  return versions;
}

/**
 * Changes connections of a merchant in a mode, one change at a time, and publishes each in that order, except those
 * without confirmed keys.
 */
async function change(
  parts: DashboardParts,
  actor: Actor,
  mode: Mode,
  work: (tx: Queryable) => Promise<rows.GatewayRow[]>,
): Promise<rows.GatewayRow[]> {
  const { changed, messages } = await committed(parts.db, 'gateway', async (tx) => {
    await lockRevisions(tx, actor.merchantId, mode);
    const connections = await work(tx);
    const published = [];
    for (const connection of connections)
      if (connection.verifiedAt !== null) published.push(await publishGateway(tx, connection));
    return { changed: connections, messages: published };
  });
  parts.wakeRelay();
  // The events are durable already; the direct call lets the ledger use them for the very next payment.
  await Promise.allSettled(messages.map((connection) => parts.services.noteGateway(connection)));
  return changed;
}

async function changeOne(
  parts: DashboardParts,
  actor: Actor,
  mode: Mode,
  work: (tx: Queryable) => Promise<rows.GatewayRow>,
): Promise<rows.GatewayRow> {
  const [connection] = await change(parts, actor, mode, async (tx) => [await work(tx)]);
  if (!connection) throw new Error('a changed connection was not returned');
  return connection;
}
