/**
 * Exports for the sandbox part of a gateway: the books, the shared rules of payments and cards, and HTTP helpers.
 */
export type { CardBehaviour, DeclineReason } from '@gp/gateway-registry';
export {
  buildJsonRequest,
  LATER_MS,
  type ExternalAction,
  type PlayedGateway,
  type PlayedPayer,
  type PlayedServer,
  type PlayGateway,
  type CallbackRequest,
  type ServerOptions,
  type Stage,
} from './app/gateway.ts';
export type { Call, Dialect, Reply } from './app/play-call.ts';
export type { Account, Accounts, Answer, Callback, BooksTransaction, IdempotentCall } from './app/ports.ts';
export { isSameSecret, newId, newSecret } from './app/secrets.ts';
export { readObject, readText } from './control/read.ts';
export { listKnownCards, readCard, type CardFault, type CardInput, type ReadCard } from './domain/card.ts';
export { FAITHFUL, parseSandboxFault, computeWrongAmount, type Conduct } from './domain/fault.ts';
export {
  authorise,
  decline,
  expire,
  finish,
  HOLD_LIFETIME_MS,
  mayBegin,
  reverse,
  type Refusal,
} from './domain/payment.decide.ts';
export {
  UNTOUCHED,
  type Action,
  type CallOperation,
  type CardFace,
  type Payment,
  type Work,
} from './domain/payment.ts';
export { amountText } from './http/amount.ts';
export { answering } from './http/answering.ts';
export { serveClassicScript, serveModules } from './http/assets.ts';
export { cardButtons } from './http/card-list.ts';
export { issuerPages } from './http/challenge-page.ts';
export { FormError, readSubform, readListField, parseForm, readTextField, type Form } from './http/form.ts';
export { html, type Html } from './http/html.ts';
export { framePage, page } from './http/page.ts';
export { payerRequest, unknownPayment } from './http/payer-request.ts';
export { Refused } from './http/refused.ts';
export { serve } from './http/serve.ts';
