import type { RequestOf, reserveSlots as contract, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { uuidv7 } from 'uuidv7';
import type { Loaded } from '../db/load-group.ts';
import { findAttempt, findIntent, type Group } from '../domain/index.ts';
import { changeGroup, scopeOf, type Changed, type LedgerParts } from './change-group.ts';
import { sandboxFaultOf } from './sandbox-fault.ts';
import { intentView } from './views.ts';

type Request = RequestOf<typeof contract>;
type Response = ResponseOf<typeof contract>;

/**
 * Takes slots for a payer. The payer is whoever has this e-mail at this merchant, made now if nobody has. A command
 * id that ran before gets its reservation again, as it is now.
 */
export function reserveSlots(parts: LedgerParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const email = request.customer_email.trim().toLowerCase();
    const newCustomerId = uuidv7();
    const replay: { intentId?: string } = {};
    const changed = await changeGroup(parts, {
      step: 'reserve',
      actor: 'payer',
      groupId: request.group_id,
      scope: scopeOf(request),
      commandId: request.command_id,
      customerEmail: email,
      command(loaded) {
        if (loaded.command) {
          replay.intentId = repeated(loaded, request);
          return undefined;
        }
        const active = loaded.connections.find((connection) => connection.active);
        if (!active) throw new AppError('no_active_gateway');
        return {
          type: 'reserve',
          customerId: loaded.customerId ?? newCustomerId,
          slotIds: request.slot_ids ?? null,
          pspCode: active.psp_code,
          credentialVersion: active.version,
        };
      },
      beside: (loaded, decision) => ({
        customer: decision.refusal
          ? undefined
          : { id: loaded.customerId ?? newCustomerId, email, name: request.customer_name?.trim() || null },
        command: {
          id: request.command_id,
          fingerprint: request.fingerprint,
          intentId: decision.reply?.kind === 'reserved' ? decision.reply.intent.id : null,
          refundId: null,
        },
      }),
    });
    return answer(changed, replay.intentId);
  };
}

/** The intent an earlier run of this command made; the same id with another input is a misuse (Q12). */
function repeated({ command }: Loaded, request: Request): string {
  if (command?.fingerprint !== request.fingerprint) throw new AppError('idempotency_key_reused');
  if (command.intent_id === null) throw new AppError('no_payable_slots');
  return command.intent_id;
}

function answer({ loaded, group, reply }: Changed, replayedId: string | undefined): Response {
  const reserved = reply?.kind === 'reserved' ? reply : undefined;
  const intent = findIntent(group, reserved?.intent.id ?? replayedId ?? '');
  if (!intent)
    throw new AppError('internal_error', {}, { cause: new Error('a reservation without its intent') });
  const attempt = findAttempt(intent, reserved?.attemptId ?? intent.attempts.at(-1)?.id ?? '');
  return {
    intent: intentView(group, intent),
    attempt: attempt ? { id: attempt.id, seq: attempt.seq, psp_reference: attempt.pspReference } : null,
    reserved_until: new Date(reserved?.reservedUntilMs ?? reservedUntil(group, intent.id)).toISOString(),
    merchant_order_id: loaded.row.merchant_order_id,
    group_name: loaded.row.group_name,
    sandbox_fault: sandboxFaultOf(loaded, group, intent.id),
    replayed: replayedId !== undefined,
  };
}

function reservedUntil(group: Group, intentId: string): number {
  return group.slots.find((slot) => slot.intentId === intentId)?.reservedUntilMs ?? group.expiresAtMs;
}
