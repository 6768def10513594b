import type { createGroup, Mode, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { insertAudit } from '../../db/audit.ts';
import { priceBill, type Bill } from '../../domain/bill.ts';
import { countTry, type Limit } from '../account/tries.ts';
import { listGateways } from '../settings/list-settings.ts';
import { findOrganiserRights } from '../settings/organiser-rights.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { deriveIdentity } from './command.ts';

type Created = ResponseOf<typeof createGroup>;

/** A person makes a few bills a minute; more than this in live mode is a program with somebody's session. */
const LIVE: Limit = { most: 60, seconds: 10 * 60 };

/**
 * Creates a group payment that a member made by hand (K15); the same `key` again is the same one. The audit log records
 * the request first and the id when it is known, so that a creation whose response was lost is there.
 *
 * Rejects with `validation_error` that names the field, and in live mode with `no_active_gateway` and `rate_limited`.
 */
export function createByHand(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; key: string | undefined }, bill: Bill) => Promise<Created> {
  const { db, services } = parts;
  return async (actor, { mode, key }, bill) => {
    const { merchantId } = actor;
    const identity = deriveIdentity({ merchantId, mode }, key, ['create', bill]);
    const { group_name, currency } = bill;
    const wanted = { group_name, currency, ...priceBill(bill) };
    if (mode === 'live') await assertMayCharge(parts, merchantId);
    const { total_minor } = wanted;
    await insertAudit(db, actor, 'group_payment.create_requested', {
      mode,
      group_name,
      currency,
      total_minor,
    });
    const created = await services.createGroup({
      ...identity,
      merchant_id: merchantId,
      mode,
      ...wanted,
      expires_at: await findExpiry(parts, { merchantId, mode }, bill.expires_in_seconds),
      metadata: { made_by: 'dashboard' },
      ...(await chooseOrganiser(parts, { merchantId, mode }, bill)),
    });
    await insertAudit(db, actor, 'group_payment.created', { mode, group_payment_id: created.group.id });
    return created;
  };
}

/** Bounds what a stolen session can do, and refuses a link that nobody could pay. */
async function assertMayCharge({ db }: DashboardParts, merchantId: string): Promise<void> {
  const gateways = await listGateways(db, merchantId, 'live');
  if (!gateways.some(({ active }) => active))
    throw new AppError('no_active_gateway', { message: 'no gateway is connected in live mode' });
  await countTry(db, { what: 'live-payment', of: merchantId, limit: LIVE });
}

type Owner = { readonly merchantId: string; readonly mode: Mode };

/** Returns the instant at which a payment that is created now stops collecting; test mode has the time of its clock. */
async function findExpiry({ services }: DashboardParts, owner: Owner, seconds: number): Promise<string> {
  const { ahead_ms } =
    owner.mode === 'test' ? await services.findTestClock({ merchant_id: owner.merchantId }) : { ahead_ms: 0 };
  return new Date(Date.now() + ahead_ms + seconds * 1_000).toISOString();
}

async function chooseOrganiser({ db }: DashboardParts, { merchantId, mode }: Owner, { organiser }: Bill) {
  if (organiser === null) return {};
  const may = organiser?.may ?? (await findOrganiserRights(db, merchantId, mode));
  return organiser || may.length > 0 ? { organiser: { may, latest_expires_at: null } } : {};
}
