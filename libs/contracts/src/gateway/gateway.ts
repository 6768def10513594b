import { allClientFields, findManifest, type AnyClientData, type Card } from '@gp/gateway-registry';
import Type, { type Static } from '@gp/bundled/typebox';
import { message, rpc, type MessageContract } from '../contract.ts';
import { Instant, Nullable, OneOf, PspCode, Scope, Uuid } from '../common.ts';
import { PaymentRefFields } from './payment-ref.ts';

/** The fields of PayResponse that differ by gateway, as the manifest of the payment's gateway describes them. */
export const ClientData = Type.Unsafe<ClientData>(Type.Partial(Type.Object(allClientFields)));
export type ClientData = AnyClientData;

export const PrepareRequest = Type.Object({
  ...PaymentRefFields,
  /** Null on gateways where a try begins at confirm. */
  attempt_id: Nullable(Uuid),
  description: Type.String({ maxLength: 200 }),
  /** The address to which the payer returns from the gateway's own page; only some gateways have one. */
  return_url: Type.Optional(Type.String({ maxLength: 500 })),
});

/** The data with which the edge sends the card to the adapter and nowhere else. */
export const AuthorisationTicket = Type.Object({
  ...PaymentRefFields,
  /** The gateway that authorises; a checkout of version 1.0 did not name it. */
  psp_code: Type.Optional(PspCode),
  merchant_order_id: Type.String(),
  /**
   * The page to which the payer returns from the bank; checkout has verified that it is the merchant's or ours. Without
   * it a card that requires authentication is refused.
   */
  return_url: Type.Optional(Type.String({ maxLength: 2_000 })),
  /** The trace in which the payment began: the spans of its confirmation go there too. */
  traceparent: Type.Optional(Type.String()),
});
export type AuthorisationTicket = Static<typeof AuthorisationTicket>;

/**
 * Prepares a payment at the gateway: repeatable for one attempt. Errors: gateway_unavailable (breaker open),
 * gateway_error, outcome_unknown, amount_below_gateway_minimum, amount_above_gateway_maximum,
 * currency_not_supported_by_gateway, no_active_gateway (credentials unknown).
 */
export const prepareIntent = (psp: PspCode) =>
  rpc(`rpc.${psp}.intent.prepare.v1`, {
    repeatable: true,
    request: PrepareRequest,
    response: Type.Object({ psp_reference: Nullable(Type.String()), client: ClientData }),
  });

/**
 * Authorises with the card, at a gateway whose flow is `server_confirm`. Replies once the ledger has accepted the
 * hold, or with the address of the bank's page where the payer is to be authenticated. Errors: card_declined,
 * authentication_required, outcome_unknown, gateway_unavailable, group_expired, slot_no_longer_available.
 */
export function confirmIntent(psp: PspCode) {
  const { card } = findManifest(psp);
  if (!card) throw new Error(`${psp} authorises without a card of ours`);
  return rpc(`rpc.${psp}.intent.confirm.v1`, {
    request: Type.Object({ ticket: AuthorisationTicket, card: Type.Unsafe<Card>(card) }),
    response: Type.Union([
      Type.Object({ status: Type.Literal('preauthorised') }),
      Type.Object({
        status: Type.Literal('requires_action'),
        next_action: Type.Object({ type: Type.Literal('redirect'), url: Type.String() }),
      }),
    ]),
  });
}

/**
 * Stores a merchant's credentials encrypted, after the gateway has verified them; returns the version that intents freeze
 * (B11). `verified` is false, and in replies of the release before absent, when the gateway did not answer. Errors:
 * validation_error (refused by the gateway, or too many versions).
 */
export const putCredentials = (psp: PspCode) =>
  rpc(`rpc.${psp}.credentials.put.v1`, {
    request: Type.Object({ ...Scope, credentials: Type.Record(Type.String(), Type.String()) }),
    response: Type.Object({ version: Type.Integer({ minimum: 1 }), verified: Type.Optional(Type.Boolean()) }),
  });

/** Checks at the gateway whether the newest credentials work. */
export const verifyCredentials = (psp: PspCode) =>
  rpc(`rpc.${psp}.credentials.verify.v1`, {
    request: Type.Object({ ...Scope, version: Type.Integer({ minimum: 1 }) }),
    response: Type.Object({ valid: Type.Boolean(), reason: Nullable(Type.String()) }),
  });

export const GATEWAY_OPERATIONS = ['capture', 'void', 'refund', 'query'] as const;
export type GatewayOperationName = (typeof GATEWAY_OPERATIONS)[number];

/** A durable order to an adapter. Its result is an Outcome with the same `operation_id` (query: of authorise). */
export const GatewayOperation = Type.Object({
  ...PaymentRefFields,
  operation: OneOf(GATEWAY_OPERATIONS),
  operation_id: Uuid,
  /** The gateway's own id of the payment; null until it is known. */
  psp_reference: Nullable(Type.String()),
  /** After this instant the adapter may still query but must not send; null when the order never lapses. */
  not_after: Nullable(Instant),
  /** Only for `void`: leave an existing hold alone and report `spared`. */
  unless_authorised: Type.Boolean(),
});
export type GatewayOperation = Static<typeof GatewayOperation>;

export function gatewayOperation(
  psp: PspCode,
  operation: GatewayOperationName,
): MessageContract<GatewayOperation> {
  return message(`cmd.${psp}.payment.${operation}.v1`, GatewayOperation);
}

const OPERATION_SUBJECT = /^cmd\.[^.]+\.payment\.[^.]+\.v1$/;

/** Returns whether messages on this subject are orders of the ledger to an adapter. */
export const isGatewayOperation = (subject: string): boolean => OPERATION_SUBJECT.test(subject);
