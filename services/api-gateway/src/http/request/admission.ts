import type { publicApi } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';
import { metrics } from '@gp/telemetry';
import type { Caller } from '../../app/callers/caller.ts';
import type { createClientNamer } from '../../app/limits/name-client.ts';
import type { DeclineGuard } from '../../app/limits/decline-guard.ts';
import type { RateLimits } from '../../app/limits/rate-limits.ts';

/** Admits an authenticated request, or throws `rate_limited`. Sends the remaining allowance either way. */
export type Admission = (head: HttpHead, caller: Caller, operation: publicApi.Operation) => void;

/**
 * Lets an authenticated request for a payment try a card, or throws `rate_limited`. The group in the path may
 * differ from the payment's own: `findGroupId` finds the payment's group, and is called only while some group is
 * blocked.
 */
export type PaymentAdmission = (
  head: HttpHead,
  caller: Caller,
  findGroupId: () => Promise<string>,
) => Promise<void>;

/** Records which client pays with this payment, so that its declines count against that client. */
export type NoteClient = (head: HttpHead, caller: Caller, intentId: string) => void;

const refused = metrics.counter({
  name: 'gp_rate_limited_requests_total',
  help: 'Requests refused with 429, by the limit that refused them',
  unit: 'requests',
  labels: ['reason'],
  zero: ['live_rate', 'test_rate', 'create_rate', 'session_rate', 'too_many_declines'].map((reason) => ({
    reason,
  })),
});

/** Operations that can try a card. */
const GUARDED: ReadonlySet<string> = new Set(['payGroupPayment', 'confirmPayment']);

type NameClient = ReturnType<typeof createClientNamer>;

/** Applies the limits of Q11, after authentication and before the body is read. */
export function admission(o: { limits: RateLimits; guard: DeclineGuard; nameClient: NameClient }): Admission {
  return (head, caller, { id }) => {
    const allowance = o.limits.take(caller, id === 'createGroupPayment');
    head.setHeader('RateLimit-Limit', String(allowance.limit));
    head.setHeader('RateLimit-Remaining', String(allowance.remaining));
    head.setHeader('RateLimit-Reset', String(allowance.resetSeconds));
    if (!allowance.isAllowed) throw refusal(head, `${allowance.kind}_rate`, allowance.retrySeconds);
    if (!GUARDED.has(id)) return;
    // A token is limited by its own group, whatever the path says.
    const groupId =
      caller.kind === 'session_token' ? caller.groupId : (head.params['id'] ?? '').toLowerCase();
    refuseBlocked(
      head,
      o.guard.blockedSeconds({ groupId, client: o.nameClient(head.remoteAddress, caller) }),
    );
  };
}

export function paymentAdmission({ guard }: { guard: DeclineGuard }): PaymentAdmission {
  return async (head, caller, findGroupId) => {
    if (caller.kind === 'session_token' || !guard.blocksAnyGroup()) return;
    refuseBlocked(head, guard.blockedSeconds({ groupId: await findGroupId(), client: undefined }));
  };
}

export function clientNoting(o: { guard: DeclineGuard; nameClient: NameClient }): NoteClient {
  return (head, caller, intentId) => {
    const client = o.nameClient(head.remoteAddress, caller);
    if (client !== undefined) o.guard.madeFrom(client, intentId);
  };
}

function refuseBlocked(head: HttpHead, seconds: number): void {
  if (seconds > 0)
    throw refusal(head, 'too_many_declines', seconds, 'too many declined payments, try again later');
}

function refusal(head: HttpHead, reason: string, seconds: number, message?: string): AppError {
  refused.inc({ reason });
  head.setHeader('RateLimit-Reason', reason);
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return new AppError('rate_limited', { retryAfterSeconds, ...(message !== undefined && { message }) });
}
