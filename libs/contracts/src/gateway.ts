import Type, { type Static } from 'typebox';
import { message, rpc, type MessageContract } from './contract.ts';
import { CurrencyCode, Instant, Minor, Nullable, OneOf, Scope, Uuid, type PspCode } from './common.ts';

/** What an adapter needs to speak about one payment. */
const Payment = {
  ...Scope,
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Uuid,
  seq: Type.Integer({ minimum: 1 }),
  amount_minor: Minor,
  currency: CurrencyCode,
  credential_version: Type.Integer({ minimum: 1 }),
  sandbox_fault: Nullable(Type.String()),
};

/** Fields of PayResponse that differ by gateway; the adapter fills its own. */
export const ClientData = Type.Object({
  client_secret: Type.Optional(Type.String()),
  gateway_a_account_id: Type.Optional(Type.String()),
  publishable_key: Type.Optional(Type.String()),
  card_field_team_id: Type.Optional(Type.String()),
  card_field_app_id: Type.Optional(Type.String()),
  gateway_c_form: Type.Optional(
    Type.Object({ url: Type.String(), body: Type.Record(Type.String(), Type.String()) }),
  ),
});
export type ClientData = Static<typeof ClientData>;

export const PrepareRequest = Type.Object({
  ...Payment,
  /** Null on gateways where a try begins at confirm. */
  attempt_id: Nullable(Uuid),
  description: Type.String({ maxLength: 200 }),
  /** Where the payer's browser goes on to when the gateway's own page sends it back; only some gateways have one. */
  return_url: Type.Optional(Type.String({ maxLength: 500 })),
});

/** A card as gateway_b's field hands it over. Lives in memory only; this subject is its only way (S-card). */
export const EncryptedCard = Type.Object({
  cardholder_name: Type.String({ minLength: 1, maxLength: 100 }),
  encrypted_card_number: Type.String({ pattern: '^ev:' }),
  expiration_month: Type.Integer({ minimum: 1, maximum: 12 }),
  expiration_year: Type.Integer({ minimum: 2000, maximum: 2100 }),
  encrypted_security_code: Type.String({ pattern: '^ev:' }),
});

/** What checkout hands to the edge so that it can carry the card to the adapter and nowhere else. */
export const AuthorisationTicket = Type.Object({
  ...Payment,
  merchant_order_id: Type.String(),
  /** The trace the payment began in: its confirmation is told there too. */
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
 * Authorises with the card (gateway_b). Answers once the ledger has accepted the hold. Errors: card_declined,
 * authentication_required, outcome_unknown, gateway_unavailable, group_expired, slot_no_longer_available.
 */
export const confirmIntent = rpc('rpc.gateway_b.intent.confirm.v1', {
  request: Type.Object({ ticket: AuthorisationTicket, card: EncryptedCard }),
  response: Type.Object({ status: Type.Literal('preauthorised') }),
});

/** Stores a merchant's credentials encrypted; answers the version that intents freeze (B11). */
export const putCredentials = (psp: PspCode) =>
  rpc(`rpc.${psp}.credentials.put.v1`, {
    request: Type.Object({ ...Scope, credentials: Type.Record(Type.String(), Type.String()) }),
    response: Type.Object({ version: Type.Integer({ minimum: 1 }) }),
  });

/** Asks the gateway whether the newest credentials work. */
export const verifyCredentials = (psp: PspCode) =>
  rpc(`rpc.${psp}.credentials.verify.v1`, {
    request: Type.Object({ ...Scope, version: Type.Integer({ minimum: 1 }) }),
    response: Type.Object({ valid: Type.Boolean(), reason: Nullable(Type.String()) }),
  });

export const GATEWAY_OPERATIONS = ['capture', 'void', 'refund', 'query'] as const;
export type GatewayOperationName = (typeof GATEWAY_OPERATIONS)[number];

/** A durable order to an adapter. Its answer is an Outcome with the same `operation_id` (query: of authorise). */
export const GatewayOperation = Type.Object({
  ...Payment,
  operation: OneOf(GATEWAY_OPERATIONS),
  operation_id: Uuid,
  /** `seq` of this operation; from 2 on the adapter asks the gateway before it sends (R4). */
  psp_reference: Nullable(Type.String()),
  /** After this instant the adapter may still ask but must not send; null when it never lapses. */
  not_after: Nullable(Instant),
  /** Only for `void`: leave a hold that exists alone and answer `spared`. */
  unless_authorised: Type.Boolean(),
});
export type GatewayOperation = Static<typeof GatewayOperation>;

export function gatewayOperation(
  psp: PspCode,
  operation: GatewayOperationName,
): MessageContract<GatewayOperation> {
  return message(`cmd.${psp}.payment.${operation}.v1`, GatewayOperation);
}
