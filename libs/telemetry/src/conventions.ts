import { attribute, type Attributes } from './attributes.ts';
import { subjectName } from './red.ts';
import type { RunningSpan, SpanDescription } from './tracing.ts';

/** Where a server is; a port that is not known is left out. */
export type Endpoint = { readonly address: string; readonly port?: number | undefined };

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);
/** A method that the conventions do not know would be a name of a stranger's choice. */
const toMethod = (method: string): string => (METHODS.has(method) ? method : '_OTHER');
const toMethodName = (method: string): string => (METHODS.has(method) ? method : 'HTTP');

/** What the conventions put in the place of something sensitive. */
const REDACTED = 'REDACTED';

/**
 * Describes a request that we answer. `route` is the pattern that matched, undefined when none did; `host` and `proto` are
 * the headers `Host` and `X-Forwarded-Proto` as sent.
 */
export function httpServerSpan(request: {
  readonly method: string;
  readonly route: string | undefined;
  readonly path: string;
  readonly host?: string | undefined;
  readonly proto?: unknown;
}): SpanDescription {
  const { method, route, path, host, proto } = request;
  return {
    name: route === undefined ? toMethodName(method) : `${toMethodName(method)} ${route}`,
    kind: 'server',
    attributes: () => ({
      [attribute.httpMethod]: toMethod(method),
      [attribute.httpRoute]: route,
      [attribute.urlPath]: scrubPath(path, route),
      [attribute.urlScheme]: proto === 'https' ? 'https' : 'http',
      ...toServer(parseHost(host)),
    }),
  };
}

/**
 * Describes a request that we send. The span has the address without its query and user. With `isPathSecret` it has no
 * path either, because a merchant's address may hold a token.
 */
export function httpClientSpan(
  method: string,
  url: URL,
  o: { isPathSecret?: boolean } = {},
): SpanDescription {
  const path = o.isPathSecret ? `/${REDACTED}` : url.pathname;
  return {
    name: toMethodName(method),
    kind: 'client',
    attributes: () => ({
      [attribute.httpMethod]: toMethod(method),
      [attribute.urlFull]: url.origin + path,
      [attribute.urlScheme]: url.protocol.slice(0, -1),
      ...toServer({
        address: url.hostname,
        port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      }),
    }),
  };
}

/** Records the status of a response; one from `failsFrom` on makes the span an error. */
export function setHttpStatus(running: RunningSpan, status: number, failsFrom: 400 | 500): void {
  running.set({ [attribute.httpStatus]: status });
  if (status >= failsFrom) running.fail(String(status));
}

/** Describes a call over the bus, on the side that asks or on the one that answers; the subject is the method's name. */
export function rpcSpan(kind: 'client' | 'server', subject: string, server?: Endpoint): SpanDescription {
  return {
    name: subject,
    kind,
    attributes: () => ({
      [attribute.rpcSystem]: 'nats',
      [attribute.rpcMethod]: subject,
      ...toServer(server),
    }),
  };
}

/** Describes the sending of a message to a stream, or the work of the durable consumer that got it. */
export function messageSpan(
  kind: 'producer' | 'consumer',
  message: { readonly subject: string; readonly id: string; readonly consumer?: string | undefined },
  server?: Endpoint,
): SpanDescription {
  const operation = kind === 'producer' ? 'send' : 'process';
  const template = subjectName(message.subject);
  return {
    name: `${operation} ${template}`,
    kind,
    attributes: () => ({
      [attribute.messagingSystem]: 'nats',
      [attribute.messagingOperation]: operation,
      [attribute.messagingOperationType]: operation,
      [attribute.messagingDestination]: message.subject,
      [attribute.messagingTemplate]: template === message.subject ? undefined : template,
      [attribute.messagingMessageId]: message.id,
      [attribute.messagingConsumer]: message.consumer,
      ...toServer(server),
    }),
  };
}

/** Describes a statement by the name it is declared under, never by its values; one without a name by its operation. */
export function statementSpan(
  statement: { readonly name: string; readonly text: string },
  database: Endpoint & { readonly name: string },
): SpanDescription {
  const operation = findOperation(statement.text);
  return {
    name: statement.name || `${operation} ${database.name}`,
    kind: 'client',
    attributes: () => ({
      [attribute.databaseSystem]: 'postgresql',
      [attribute.databaseNamespace]: database.name,
      [attribute.databaseOperation]: operation,
      [attribute.databaseSummary]: statement.name || undefined,
      ...toServer(database),
    }),
    describeFailure: readState,
  };
}

/** Returns the SQLSTATE of an error of Postgres as an attribute. */
function readState(error: unknown): Attributes {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)
    ? { [attribute.databaseStatus]: code }
    : {};
}

function toServer(server: Endpoint | undefined): Attributes {
  if (server === undefined || server.address === '') return {};
  const address = server.address.replace(/^\[(.*)\]$/, '$1');
  return { [attribute.serverAddress]: address, [attribute.serverPort]: server.port };
}

/** Returns undefined for a header that is no host name or address with an optional port: a stranger may send any text. */
function parseHost(host: string | undefined): Endpoint | undefined {
  const [, address, port] =
    /^([a-z0-9.-]{1,253}|\[[0-9a-f:]{2,39}\])(?::(\d{1,5}))?$/i.exec(host ?? '') ?? [];
  return address === undefined ? undefined : { address, port: port === undefined ? undefined : Number(port) };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keeps the parts of a path that are ours, words of its route and ids; anything else may be a token or a person. */
function scrubPath(path: string, route: string | undefined): string {
  const words = new Set(route?.split('/'));
  const keeps = (part: string): boolean => words.has(part) || part === '' || UUID.test(part);
  return path
    .split('/')
    .map((part) => (keeps(part) ? part : REDACTED))
    .join('/');
}

/** `WITH …` is named by what it writes, or else reads. */
function findOperation(text: string): string {
  const sql = text.replaceAll(/--[^\n]*/g, '').trimStart();
  const [first = ''] = /^\w+/.exec(sql) ?? [];
  const [main] =
    first.toLowerCase() === 'with' ? (/\b(insert|update|delete|merge)\b/i.exec(sql) ?? ['select']) : [first];
  return main.toUpperCase();
}
