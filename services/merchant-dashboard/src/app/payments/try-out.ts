import type { createGroup, OrganiserRight, PspCode, ResponseOf } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import { findCurrency, parseMinor } from '@gp/money';
import type { GatewayRow } from '../../db/gateways.ts';
import { requireMerchant } from '../account/members.ts';
import { deriveIdentity } from './command.ts';
import { connectGateway } from '../settings/gateways.ts';
import { findOrganiserRights } from '../settings/organiser-rights.ts';
import type { Actor, WebParts } from '../ports.ts';

/**
 * The first payment as requested; missing fields are filled from a small dinner. `total_amount` is in currency
 * units, as text.
 */
export type Tried = {
  readonly group_name?: string;
  readonly total_amount?: string;
  readonly currency?: string;
  readonly number_of_slots?: number;
  /** Slots by hand, which make the total; equal ones are made where they are missing. */
  readonly slots?: readonly { readonly amount: string; readonly label?: string }[];
  readonly expires_in_seconds?: number;
  /** Null for none; the merchant's setting counts where it is missing. */
  readonly organiser?: { readonly may: OrganiserRight[] } | null;
  /** How many slots must be held for a capture when time runs out; everything is released then where it is missing. */
  readonly minimum_slots?: number;
  /** The most that each payment may add as a tip, in currency units; payments may add none where it is missing. */
  readonly max_tip?: string;
};

/**
 * Creates a group payment in test mode, so that a user who has just signed up sees an example; the same `key`
 * again is the same one. `validation_error` names the invalid field.
 */
export function makeFirstPayment({
  db,
  services,
}: WebParts): (
  actor: Actor,
  tried: Tried,
  key: string | undefined,
) => Promise<ResponseOf<typeof createGroup>> {
  return async ({ merchantId }, tried, key) => {
    const { group_name = 'Dinner for three', total_amount = '30.00', currency = 'EUR' } = tried;
    const { number_of_slots = 3, expires_in_seconds = 3_600 } = tried;
    const slots = tried.slots?.map(({ amount, label }, at) => ({
      amount_minor: parseMinorAmount(amount, currency, `slots.${at}.amount`),
      metadata: {},
      ...(label !== undefined && { label }),
    }));
    const total_minor = slots
      ? String(slots.reduce((sum, slot) => sum + BigInt(slot.amount_minor), 0n))
      : parseMinorAmount(total_amount, currency, 'total_amount');
    const identity = deriveIdentity({ merchantId, mode: 'test' }, key, ['first-payment', tried]);
    const usual = async () => ({ may: await findOrganiserRights(db, merchantId, 'test') });
    const organiser = tried.organiser === undefined ? await usual() : tried.organiser;
    const isOrganised = organiser !== null && (tried.organiser !== undefined || organiser.may.length > 0);
    const { ahead_ms } = await services.findTestClock({ merchant_id: merchantId });
    return services.createGroup({
      ...identity,
      merchant_id: merchantId,
      mode: 'test',
      group_name,
      total_minor,
      currency,
      expires_at: new Date(Date.now() + ahead_ms + expires_in_seconds * 1_000).toISOString(),
      metadata: { made_by: 'dashboard' },
      distribution: slots ? { type: 'custom', slots } : { type: 'equally', number_of_slots },
      ...(tried.minimum_slots !== undefined && { capture_minimum: { slots: tried.minimum_slots } }),
      ...(tried.max_tip !== undefined && {
        max_tip_minor: parseMinorAmount(tried.max_tip, currency, 'max_tip'),
      }),
      ...(isOrganised && { organiser: { may: organiser.may, latest_expires_at: null } }),
    });
  };
}

function parseMinorAmount(amount: string, code: string, field: string): string {
  const currency = findCurrency(code);
  if (!currency) throw validationError('currency', 'is not a currency we know');
  const parsed = parseMinor(amount, currency);
  if (!parsed.ok) throw validationError(field, parsed.reason);
  return String(parsed.minor);
}

/** Opens an account at the sandbox and connects it; `not_found` in an installation without a sandbox. */
export function connectSandbox(parts: WebParts): (actor: Actor, psp: PspCode) => Promise<GatewayRow> {
  const connect = connectGateway(parts);
  return async (actor, pspCode) => {
    if (!parts.sandbox) throw new AppError('not_found', { message: 'this platform has no sandbox' });
    const merchant = await requireMerchant(parts.db, actor.merchantId);
    const credentials = await parts.sandbox.open(pspCode, merchant);
    return connect(actor, { mode: 'test', pspCode, credentials });
  };
}
