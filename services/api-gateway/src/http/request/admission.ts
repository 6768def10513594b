import type { publicApi } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';
import { metrics } from '@gp/telemetry';
import type { Caller } from '../../app/callers/caller.ts';
import type { createClientNamer, createPayerNamer } from '../../app/limits/name-client.ts';
import type { DeclineGuard } from '../../app/limits/decline-guard.ts';
import type { OpenStreams } from '../../app/limits/open-streams.ts';
import type { LimitedRequest, RateLimits } from '../../app/limits/rate-limits.ts';

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

/** Lets a payer of a group, known by the e-mail address, start a payment, or throws `rate_limited`. */
export type PayerAdmission = (head: HttpHead, payer: Payer) => void;

/** Records the client that makes this payment, so that its declines count against that client and that payer. */
export type NotePayment = (head: HttpHead, caller: Caller, intentId: string, payer?: Payer) => void;

/**
 * Lets an authenticated request open a stream, which counts until the request is over; throws `rate_limited` where the
 * merchant has too many open in this mode, and `service_unavailable` where this process has.
 */
export type StreamAdmission = (head: HttpHead, caller: Caller) => void;

type Payer = { readonly groupId: string; readonly email: string };

const refused = metrics.counter({
  name: 'gp_rate_limited_requests_total',
  help: 'Requests refused with 429, by the limit that refused them',
  unit: 'requests',
  labels: ['reason'],
  zero: [
    ...[
      'live',
      'test',
      'create',
      'session',
      'group',
      'payers',
      'address',
      'session_payment',
      'address_payment',
    ].map((kind) => ({ reason: `${kind}_rate` })),
    { reason: 'too_many_declines' },
    { reason: 'abandoned_reservations' },
    { reason: 'too_many_streams' },
  ],
});

/** Operations that can try a card. */
const GUARDED: ReadonlySet<string> = new Set(['payGroupPayment', 'createTestPayment', 'confirmPayment']);

/** Operations that start something which is limited by itself. */
const STARTS: Readonly<Record<string, LimitedRequest>> = {
  createGroupPayment: { starts: 'group_payment' },
  payGroupPayment: { starts: 'payment' },
};

type NameClient = ReturnType<typeof createClientNamer>;
type NamePayer = ReturnType<typeof createPayerNamer>;

/** Applies the limits of Q11, after authentication and before the body is read. */
export function admission(o: { limits: RateLimits; guard: DeclineGuard; nameClient: NameClient }): Admission {
  return (head, caller, { id }) => {
    const client = o.nameClient(head.remoteAddress, caller);
    const allowance = o.limits.take(caller, { client, ...STARTS[id] });
    head.setHeader('RateLimit-Limit', String(allowance.limit));
    head.setHeader('RateLimit-Remaining', String(allowance.remaining));
    head.setHeader('RateLimit-Reset', String(allowance.resetSeconds));
    if (!allowance.isAllowed) throw refusal(head, `${allowance.kind}_rate`, allowance.retrySeconds);
    if (!GUARDED.has(id)) return;
    // A token is limited by its own group, not by the group in the path.
    const groupId =
      caller.kind === 'session_token' ? caller.groupId : (head.params['id'] ?? '').toLowerCase();
    refuseBlocked(head, o.guard.blockedSeconds({ groupId, client }));
    if (id === 'payGroupPayment') refuseAbandoning(head, o.guard.abandonedSeconds({ groupId, client }));
  };
}

export function paymentAdmission({ guard }: { guard: DeclineGuard }): PaymentAdmission {
  return async (head, caller, findGroupId) => {
    if (caller.kind === 'session_token' || !guard.blocksAnyGroup()) return;
    refuseBlocked(head, guard.blockedSeconds({ groupId: await findGroupId(), client: undefined }));
  };
}

export function payerAdmission(o: { guard: DeclineGuard; namePayer: NamePayer }): PayerAdmission {
  return (head, { groupId, email }) =>
    refuseBlocked(
      head,
      o.guard.blockedSeconds({ groupId, client: undefined, payer: o.namePayer(groupId, email) }),
    );
}

export function paymentNoting(o: {
  guard: DeclineGuard;
  nameClient: NameClient;
  namePayer: NamePayer;
}): NotePayment {
  return (head, caller, intentId, payer) =>
    o.guard.madeFrom(
      {
        client: o.nameClient(head.remoteAddress, caller),
        payer: payer && o.namePayer(payer.groupId, payer.email),
        groupId: payer?.groupId,
      },
      intentId,
    );
}

/** A stream ends in its own time; a reader that comes back later may find room. */
const CROWDED_SECONDS = 10;

export function streamAdmission({ streams }: { streams: OpenStreams }): StreamAdmission {
  return (head, caller) => {
    const crowd = streams.enter(caller, head.signal);
    if (crowd === 'process')
      throw new AppError('service_unavailable', { retryAfterSeconds: CROWDED_SECONDS });
    if (crowd === 'merchant')
      throw refusal(head, 'too_many_streams', CROWDED_SECONDS, {
        message: 'too many streams of events are open',
        hint: `a merchant has at most ${streams.perMerchant} in a mode, over all its programs; end one of them`,
      });
  };
}

function refuseBlocked(head: HttpHead, seconds: number): void {
  if (seconds > 0)
    throw refusal(head, 'too_many_declines', seconds, {
      message: 'too many declined payments, try again later',
    });
}

function refuseAbandoning(head: HttpHead, seconds: number): void {
  if (seconds > 0)
    throw refusal(head, 'abandoned_reservations', seconds, {
      message: 'too many payments of this group were started and not finished, try again later',
    });
}

function refusal(
  head: HttpHead,
  reason: string,
  seconds: number,
  text: { readonly message?: string; readonly hint?: string } = {},
): AppError {
  refused.inc({ reason });
  head.setHeader('RateLimit-Reason', reason);
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return new AppError('rate_limited', { retryAfterSeconds, ...text });
}
