export { buildPermissions, type BusAccess, type Permissions } from './access.ts';
export { COMMAND_CONNECT_TIMEOUT_MS, openBus } from './bus.ts';
export type { Bus, BusOptions, CallOptions } from './bus.ts';
export { MAX_TRIES, planRetry } from './failures.ts';
export type { ConsumeOptions } from './consume.ts';
export type { DeadMessage, InboundMessage } from './delivery.ts';
export { createIdentity, isUserSeed, readPublicKey, type Identity } from './identity.ts';
export type { BusLog } from './log.ts';
export { byOperator } from './operators.ts';
export {
  createOperatorKey,
  digestBody,
  isOperatorKey,
  isOperatorSeed,
  isSignedBy,
  openOperatorSigner,
  parseOperatorProof,
  type OperatorProof,
  type OperatorSigner,
} from './operator-proof.ts';
export { bySubject, on, type SubscribeOptions } from './on.ts';
export { fitting, wholeList, wholePage } from './pages.ts';
export type { Published } from './progress.ts';
export type { Mode, OutboundMessage } from './publish.ts';
export type { BatchCommand, BatchHandler, CallContext, Closable } from './serve.ts';
export { EVENTS_DAYS, type StreamName } from './streams.ts';
export { setTracePropagation } from './trace.ts';
export type { BusWork, TracePropagation } from './trace.ts';
