import type { RequestOf, reserveSlots as contract, ResponseOf } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import { findCurrency, parseMinor } from '@gp/money';
import { findTimeZone } from '@gp/primitives';
import { linkTo, type Logger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Loaded } from '../../db/group/load-group.ts';
import {
  cutName,
  findAuthorization,
  findIntent,
  type AccountVersion,
  type Group,
} from '../../domain/index.ts';
import { changeGroup, toScope, type ChangedGroup, type LedgerParts } from '../change/change-group.ts';
import { commandToStore, earlierRun } from '../change/command-identity.ts';
import { findSandboxFault } from '../change/sandbox-fault.ts';
import { intentView } from '../groups/views.ts';

type Request = RequestOf<typeof contract>;
type Response = ResponseOf<typeof contract>;

/**
 * Takes slots for a payer. Later spans of the payment go to the trace of this request, which is linked to the request that
 * created the group. The payer is the customer with this e-mail at this merchant, created if there is none. A command id
 * that ran before gets its reservation again, in its current state; one whose reservation ended without a hold tries again.
 */
export function reserveSlots(parts: LedgerParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const email = request.customer_email.trim().toLowerCase();
    const name = request.customer_name?.trim() || null;
    const timeZone = findTimeZone(request.time_zone ?? '') ?? null;
    const newCustomerId = uuidv7();
    const replay: { intentId?: string } = {};
    const changed = await changeGroup(parts, {
      step: 'reserve',
      actor: 'payer',
      groupId: request.group_id,
      scope: toScope(request),
      commandId: request.command_id,
      customerEmail: email,
      command(loaded) {
        refuseOlderLink(loaded, request);
        const intentId = earlierReservation(loaded, request);
        if (intentId !== undefined) replay.intentId = intentId;
        if (intentId !== undefined) return undefined;
        const customerId = loaded.customerId ?? newCustomerId;
        const slots = {
          slotIds: request.slot_ids ?? null,
          ...(request.within_slot_ids && { withinSlotIds: request.within_slot_ids }),
        };
        const requesters = request.requesters ?? null;
        const tipMinor = parseTip(loaded.group, request);
        const shownName = readShownName(request, name);
        const account = findActiveAccount(loaded);
        return { type: 'reserve', customerId, ...slots, tipMinor, shownName, requesters, account };
      },
      beside: ({ customerId }, { reply }) => ({
        customer: { id: customerId ?? newCustomerId, email, name, timeZone },
        command: commandToStore(request, reply?.kind === 'reserved' ? { intentId: reply.intent.id } : {}),
      }),
    });
    linkTo(changed.loaded.row.traceparent);
    // A repeat continues a payment that began in another request.
    linkTo(changed.loaded.intentRows.find(({ id }) => id === replay.intentId)?.traceparent);
    const answered = answer(changed, replay.intentId);
    logReservation(parts.log, answered);
    return answered;
  };
}

function logReservation(log: Logger, { intent, replayed }: Response): void {
  const { id: intent_id, group_id, merchant_id, mode, psp_code } = intent;
  const line = { intent_id, group_id, merchant_id, mode, psp_code, slot_count: intent.slot_ids.length };
  log.info(line, replayed ? 'slots were reserved before' : 'slots are reserved');
}

/**
 * Refuses a browser whose token is from before the link was replaced: the response leads a payer back from the bank to the
 * link as it is now, which such a browser may not know (X15).
 */
function refuseOlderLink({ row }: Loaded, { link_number }: Request): void {
  if (link_number !== undefined && link_number < row.link_number) throw new AppError('unauthorized');
}

/**
 * Returns the intent of an earlier run of this command, if it can still be paid. Slots that were given back, because
 * the gateway could not prepare the payment or the payer did not finish it, are taken again: the caller of a request that
 * failed repeats it with the same key. An intent that the payer replaced stays replaced.
 */
function earlierReservation(loaded: Loaded, request: Request): string | undefined {
  const stored = earlierRun(loaded, request);
  const intent = findIntent(loaded.group, stored?.intent_id ?? '');
  if (!intent) return undefined;
  if (intent.supersededBy !== null) throw new AppError('no_payable_slots');
  const isOver = intent.state === 'failed' || intent.state === 'void_pending' || intent.state === 'voided';
  return isOver ? undefined : intent.id;
}

/** Returns the tip in minor units. Only the ledger knows the currency of the group that a payment is for. */
function parseTip({ currency: code }: Group, { tip }: Request): bigint {
  if (tip === undefined) return 0n;
  const currency = findCurrency(code);
  if (!currency) throw new AppError('internal_error', {}, { cause: new Error(`unknown currency ${code}`) });
  const parsed = parseMinor(tip, currency);
  if (!parsed.ok) throw validationError('tip', parsed.reason);
  if (parsed.minor <= 0n) throw validationError('tip', 'must be above 0');
  return parsed.minor;
}

/** Returns the name to show to whoever has the group's link; null without the payer's consent. */
function readShownName({ show_name }: Request, name: string | null): string | null {
  if (!show_name) return null;
  if (name === null) throw validationError('customer_name', 'is required with show_name');
  return cutName(name);
}

/** The account that new payments go to; null where no gateway is active. */
function findActiveAccount({ connections }: Loaded): AccountVersion | null {
  const active = connections.find((connection) => connection.active);
  return active ? { pspCode: active.psp_code, credentialVersion: active.version } : null;
}

function answer({ loaded, group, reply }: ChangedGroup, replayedId: string | undefined): Response {
  const reserved = reply?.kind === 'reserved' ? reply : undefined;
  const intent = findIntent(group, reserved?.intent.id ?? replayedId ?? '');
  if (!intent)
    throw new AppError('internal_error', {}, { cause: new Error('a reservation without its intent') });
  const authorization = findAuthorization(
    intent,
    reserved?.authorizationId ?? intent.authorizations.at(-1)?.id ?? '',
  );
  return {
    intent: intentView(group, intent),
    attempt: authorization
      ? {
          id: authorization.id,
          seq: authorization.seq,
          psp_reference: authorization.pspReference,
        }
      : null,
    reserved_until: new Date(reserved?.reservedUntilMs ?? reservedUntilMs(group, intent.id)).toISOString(),
    merchant_order_id: loaded.row.merchant_order_id,
    group_name: loaded.row.group_name,
    page_token: loaded.row.page_token,
    sandbox_fault: findSandboxFault(loaded, group, intent.id),
    replayed: replayedId !== undefined,
  };
}

function reservedUntilMs(group: Group, intentId: string): number {
  return group.slots.find((slot) => slot.intentId === intentId)?.reservedUntilMs ?? group.expiresAtMs;
}
