import Type from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import {
  AmountText,
  CommandIdentity,
  CurrencyCode,
  Minor,
  PayerDetails,
  Principal,
  PspCode,
  Requesters,
  Scope,
  Uuid,
} from '../common.ts';
import { AuthorisationTicket, ClientData } from '../gateway/gateway.ts';

/** The most characters of `languages`; no browser that a person uses sends more. */
export const LONGEST_LANGUAGES = 200;

/**
 * Starts a payment: reserve, prepare, return what the payer's browser needs. Errors of both steps pass through.
 */
export const startPayment = rpc('rpc.checkout.payments.start.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    principal: Principal,
    /** The session token of the request, when it is limited to one payer or some slots. */
    session_id: Type.Optional(Uuid),
    /**
     * Identifies the requesting browser: its session token, and its Idempotency-Key as a hash. A payment is continued by
     * a request that shares one of them. Absent for a merchant's server.
     */
    requesters: Type.Optional(Requesters),
    /** The number of the checkout link that the requesting browser has its token from; absent for a merchant's server. */
    link_number: Type.Optional(Type.Integer({ minimum: 0 })),
    group_id: Uuid,
    ...PayerDetails,
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
    /** What the payer adds to the slots, see reserveSlots. */
    tip: Type.Optional(AmountText),
    /** The languages that the payer's browser prefers, as `Accept-Language`: those of the mails to the payer. */
    languages: Type.Optional(Type.String({ maxLength: LONGEST_LANGUAGES })),
  }),
  response: Type.Object({
    psp_code: PspCode,
    payment_intent_id: Uuid,
    amount_minor: Minor,
    /** The part of the amount that the payer added to the slots; only where there is one. */
    tip_minor: Type.Optional(Minor),
    currency: CurrencyCode,
    slot_ids: Type.Array(Uuid),
    client: ClientData,
  }),
});

/**
 * Begins the confirmation of a payment whose gateway has the flow `server_confirm`. `held`: nothing left to do
 * (Q13). `begun`: the edge now sends card and ticket to the adapter itself, because card data travels on that one
 * subject only. Waits ≤25 s for a try that is in flight; one whose payer is at the bank is `begun` again, so that the adapter
 * names the bank's page once more. Errors: those of beginAuthorisation, outcome_unknown, validation_error for a `return_url` that
 * is neither on a registered origin of the merchant nor ours.
 */
export const beginConfirmation = rpc('rpc.checkout.payments.confirm.v1', {
  request: Type.Object({
    ...Scope,
    principal: Principal,
    group_id: Uuid,
    payment_intent_id: Uuid,
    return_url: Type.Optional(Type.String({ maxLength: 2_000 })),
  }),
  response: Type.Union([
    Type.Object({ status: Type.Literal('held') }),
    Type.Object({ status: Type.Literal('begun'), ticket: AuthorisationTicket }),
  ]),
});
