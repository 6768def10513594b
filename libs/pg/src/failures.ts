import { AppError } from '@gp/errors';

/** Codes of socket and resolver failures in Node. */
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOENT',
]);

/** Codes of a TLS connection that the driver refuses: another authority, another host's certificate, one that ended. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** The driver and its pool report these with a message and no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL connections|There was an error establishing an SSL connection|Cannot use a pool after calling end)/;

/**
 * 08 connection, 28 a role's password that is being rotated, 53 out of connections/memory/disk, 57P shutdown and crash,
 * 57014 statement timeout, 25006 a server that became read-only (failover): the request was fine, the server could not
 * do it now.
 */
const SERVER_STATES = /^(08...|28...|53...|57P..|57014|25006)$/;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const FEATURE_NOT_SUPPORTED = '0A000';

type Failure = {
  code?: unknown;
  message?: unknown;
  severity?: unknown;
  constraint?: unknown;
  cause?: unknown;
};

const parseFailure = (e: unknown): Failure => (typeof e === 'object' && e !== null ? e : {});

/** Returns the SQLSTATE when the server reported the error; undefined for socket and driver errors. */
export function findSqlState(e: unknown): string | undefined {
  const { code, severity } = parseFailure(e);
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/**
 * Returns true when the database could not be reached or could not serve now; the same request may succeed
 * later.
 */
export function isUnavailable(e: unknown): boolean {
  if (e instanceof AppError) return e.code === 'service_unavailable';
  const { code, message } = parseFailure(e);
  const state = findSqlState(e);
  if (state !== undefined) return SERVER_STATES.test(state);
  if (typeof code === 'string') return SYSTEM_CODES.has(code) || TLS_CODES.test(code);
  return typeof message === 'string' && DRIVER_MESSAGES.test(message);
}

/** Returns the name of the constraint a statement violated, also when the error was wrapped on its way. */
export function findConstraint(e: unknown): string | undefined {
  const { constraint, cause } = parseFailure(e);
  if (typeof constraint === 'string') return constraint;
  return cause === undefined ? undefined : findConstraint(cause);
}

/** A plan cached before a migration changed its table: the connection must drop all its plans. */
function hasStalePlan(e: unknown): boolean {
  return (
    findSqlState(e) === FEATURE_NOT_SUPPORTED &&
    /cached plan must not change/.test(String(parseFailure(e).message))
  );
}

/** Returns false only when the server reported an ordinary error, after which the connection is usable. */
export function breaksConnection(e: unknown): boolean {
  const state = findSqlState(e);
  return state === undefined || /^(08|57P)/.test(state) || hasStalePlan(e);
}

/**
 * Turns temporary failures into `service_unavailable` and lost races (serialisation, deadlock) into a retryable
 * `conflict`. Everything else, constraint violations above all, is returned unchanged for the caller to
 * translate.
 */
export function translate(e: unknown): unknown {
  if (e instanceof AppError) return e;
  if (isUnavailable(e) || hasStalePlan(e)) return new AppError('service_unavailable', {}, { cause: e });
  const state = findSqlState(e);
  if (state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED) {
    return new AppError('conflict', {}, { cause: e });
  }
  return e;
}
