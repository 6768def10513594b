import { findManifest, pspCodes, type Card } from '@gp/gateway-registry';
import Type, { type Static } from '@gp/bundled/typebox';
import { OneOf, PspCode } from '../common.ts';
import { rpc } from '../contract.ts';
import { ClientData } from '../gateway/gateway.ts';

/**
 * The cards of a played payer, named by what becomes of them: with `authenticated` the payer passes 3-D Secure and is
 * approved, with `authentication_failed` the payer does not pass. The sandbox has each of them at every gateway.
 */
export const PAYER_CARDS = [
  'approved',
  'authenticated',
  'declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'lost_card',
  'stolen_card',
  'processing_error',
  'authentication_failed',
] as const;
export const PayerCard = OneOf(PAYER_CARDS);
export type PayerCard = Static<typeof PayerCard>;

/** Replies where a sandbox is there to play payers. */
export const findPayers = rpc('rpc.psp_sandbox.payers.find.v1', {
  repeatable: true,
  request: Type.Object({}),
  response: Type.Object({}),
});

const encryptedCards = pspCodes.flatMap((code) => findManifest(code).card ?? []);

/**
 * Plays the payer of a payment that was started: does with `client` what a payer's browser does, and passes or fails 3-D
 * Secure where the gateway asks at once. Where a server of ours authorises, the reply has the card, encrypted, for that server. Played
 * again it places no second hold. Errors: not_found, when the payment is on no account of the sandbox.
 */
export const playPayer = rpc('rpc.psp_sandbox.payers.pay.v1', {
  repeatable: true,
  request: Type.Object({
    psp_code: PspCode,
    client: ClientData,
    card: PayerCard,
    payer_name: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  response: Type.Object({ card: Type.Optional(Type.Unsafe<Card>(Type.Union(encryptedCards))) }),
});

/**
 * Plays the payer at the issuer's page to which a confirmation led: passes 3-D Secure, or fails it with the card
 * `authentication_failed`. Errors: not_found, when the page is none of the sandbox's.
 */
export const authenticatePayer = rpc('rpc.psp_sandbox.payers.authenticate.v1', {
  repeatable: true,
  request: Type.Object({
    psp_code: PspCode,
    page: Type.String({ maxLength: 2_000 }),
    card: PayerCard,
  }),
  response: Type.Object({}),
});

/** The calls that play payers of test payments. */
export const payerCalls = [findPayers, playPayer, authenticatePayer];
