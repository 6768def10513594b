import { safeFields, safeValue, type Fields } from './fields.ts';

/**
 * The attributes of the OpenTelemetry semantic conventions (1.45) that our spans and resources have: the only place that
 * spells their names. The test beside this file fails when the conventions rename one of them.
 */
export const attribute = {
  serviceName: 'service.name',
  serviceNamespace: 'service.namespace',
  serviceVersion: 'service.version',
  serviceInstance: 'service.instance.id',
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  urlFull: 'url.full',
  urlPath: 'url.path',
  urlScheme: 'url.scheme',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  rpcSystem: 'rpc.system.name',
  rpcMethod: 'rpc.method',
  messagingSystem: 'messaging.system.name',
  messagingDestination: 'messaging.destination.name',
  messagingTemplate: 'messaging.destination.template',
  messagingOperation: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  messagingMessageId: 'messaging.message.id',
  messagingConsumer: 'messaging.consumer.group.name',
  databaseSystem: 'db.system.name',
  databaseNamespace: 'db.namespace',
  databaseOperation: 'db.operation.name',
  databaseSummary: 'db.query.summary',
  databaseStatus: 'db.response.status_code',
} as const;

export type AttributeName = (typeof attribute)[keyof typeof attribute];

/** What a span tells: fields of ours under the names that log lines have, and attributes of the conventions. */
export type Attributes = Fields & { readonly [name in AttributeName]?: string | number | undefined };

type AttributeValue = string | number | boolean | string[];

const conventional: ReadonlySet<string> = new Set(Object.values(attribute));

/** Keeps our names apart from those that the conventions may add: `merchant_id` is `gp.merchant_id` on a span. */
const PREFIX = 'gp.';

/**
 * Returns the attributes of a span: those of the conventions, and allow-listed fields of ours with a prefix. Every value is
 * flat and masked; everything else is dropped.
 */
export function toAttributes(attributes: Attributes): Record<string, AttributeValue> {
  const safe: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(safeFields(attributes))) safe[PREFIX + name] = value;
  for (const [name, value] of Object.entries(attributes)) {
    const flat = conventional.has(name) ? safeValue(value) : undefined;
    if (flat !== undefined) safe[name] = flat;
  }
  return safe;
}
