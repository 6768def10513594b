export { createHttpApp } from './app.ts';
export type { HttpApp, HttpAppOptions } from './app.ts';
export {
  answerCompressed,
  compress,
  compressAnswer,
  isCompressedForm,
  readCompressible,
} from './compression.ts';
export type { Compressible } from './compression.ts';
export { clientNetwork } from './client-network.ts';
export { readJson } from './body.ts';
export { readCookie } from './cookie.ts';
export { eventStream, formatEvent, openPulse, type Pulse } from './event-stream.ts';
export { listen } from './server.ts';
export type { Listening, ListenOptions } from './server.ts';
export { admittedRoute } from './types.ts';
export type { Around, HttpHead, HttpOutcome, HttpRequest, HttpResponse } from './types.ts';
export type { Method, RequestInfo, Route } from './types.ts';
export { signingKeySet, type SigningKeySet } from './session-token/signing-key-set.ts';
export { verifyToken, type ProvenToken, type VerifyToken } from './session-token/verify-token.ts';
