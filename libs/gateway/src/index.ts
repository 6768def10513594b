import { fileURLToPath } from 'node:url';

/** Directory of the tables every adapter owns: pass it to `migrate` after the outbox's. */
export const gatewayMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

export type { Card, CredentialsOf } from '@gp/gateway-registry';
export { buildAdapterAccess } from './bus/access.ts';
export { adapterConfig, type AdapterConfig } from './config.ts';
export { runAdapter, wireAdapter } from './run-adapter.ts';
export type {
  BrowserReturn,
  CallbackVerdict,
  CredentialShape,
  CredentialsVerdict,
  FindSigners,
  PaymentGateway,
  RawCallback,
  ReturnVerdict,
} from './gateway.ts';
export type {
  GatewayAccount,
  Action,
  Answer,
  Approved,
  Call,
  Declined,
  EffectOperation,
  Payment,
  PaymentOrder,
  PrepareAnswer,
  QueryAnswer,
  Retryable,
  Truth,
  Unknown,
} from './domain/payment.ts';
export { fromGatewayMinor, refuseAmount, toGatewayMinor, type AmountRule } from './domain/amount.ts';
export { buildFailure, type FailureCode } from './domain/failure.ts';
export { credentialFields } from './credential-fields.ts';
export { failPoints } from './fail-points.ts';
export { traceHeaders } from './trace-headers.ts';
