import type { ReceivedSpan } from '@gp/stack';

/** Numbers of the kinds of spans in OTLP. */
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const PRODUCER = 4;
const CONSUMER = 5;

type Read = (attribute: string) => string | undefined;
type Sort = {
  readonly kind: number;
  /** The attribute that only spans of this sort have. */
  readonly mark: string;
  readonly required: readonly string[];
  /** The name that the conventions build from the attributes. */
  readonly name: (read: Read) => string;
};

/** Joins what there is of a name. */
const join = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ');

const message = {
  mark: 'messaging.message.id',
  required: [
    'messaging.system.name',
    'messaging.operation.name',
    'messaging.operation.type',
    'messaging.destination.name',
    'server.address',
    'server.port',
  ],
  name: (read: Read) =>
    join(
      read('messaging.operation.name'),
      read('messaging.destination.template') ?? read('messaging.destination.name'),
    ),
};

/** What the OpenTelemetry semantic conventions demand of the work that our spans describe. */
const SORTS: Readonly<Record<string, Sort>> = {
  'HTTP request answered': {
    kind: SERVER,
    mark: 'url.path',
    required: ['http.request.method', 'http.response.status_code', 'url.scheme', 'server.address'],
    name: (read) => join(read('http.request.method'), read('http.route')),
  },
  'HTTP request sent': {
    kind: CLIENT,
    mark: 'url.full',
    required: ['http.request.method', 'server.address', 'server.port'],
    name: (read) => join(read('http.request.method')),
  },
  'call answered': {
    kind: SERVER,
    mark: 'rpc.method',
    required: ['rpc.system.name'],
    name: (read) => join(read('rpc.method')),
  },
  'call asked': {
    kind: CLIENT,
    mark: 'rpc.method',
    required: ['rpc.system.name', 'server.address', 'server.port'],
    name: (read) => join(read('rpc.method')),
  },
  'message sent': { kind: PRODUCER, ...message },
  'message processed': {
    kind: CONSUMER,
    ...message,
    required: [...message.required, 'messaging.consumer.group.name'],
  },
  statement: {
    kind: CLIENT,
    mark: 'db.system.name',
    required: ['db.namespace', 'db.operation.name', 'server.address', 'server.port'],
    name: (read) => read('db.query.summary') ?? join(read('db.operation.name'), read('db.namespace')),
  },
};

/** The sorts of work that the conventions describe and the platform does. */
export const SORT_NAMES = Object.keys(SORTS);

/** Returns an attribute's text, a number as text. */
export function readAttribute({ attributes }: ReceivedSpan, name: string): string | undefined {
  const value = attributes.find(({ key }) => key === name)?.value;
  const read = value?.['stringValue'] ?? value?.['intValue'];
  return typeof read === 'string' || typeof read === 'number' ? String(read) : undefined;
}

/** Returns the sort of a span, or undefined for work of ours, which the conventions do not describe. */
export function findSort(span: ReceivedSpan): string | undefined {
  return SORT_NAMES.find((name) => {
    const sort = SORTS[name];
    return sort?.kind === span.kind && readAttribute(span, sort.mark) !== undefined;
  });
}

/** Returns what the conventions find wrong with a span, in words. */
export function listFaults(span: ReceivedSpan): readonly string[] {
  const read: Read = (name) => readAttribute(span, name);
  const isFailed = span.status?.code === 2;
  const faults =
    isFailed === (read('error.type') === undefined) ? ['an error has a status and error.type'] : [];
  const sort = SORTS[findSort(span) ?? ''];
  if (sort === undefined && span.kind !== INTERNAL) faults.push(`no sort has the kind ${span.kind}`);
  if (sort !== undefined) {
    const missing = sort.required.filter((name) => read(name) === undefined);
    if (missing.length > 0) faults.push(`without ${missing.join()}`);
    const name = sort.name(read);
    if (span.name !== name && span.name !== `${name} batch`)
      faults.push(`is called ${name} by the conventions`);
  }
  return faults.map((fault) => `${span.service} ${span.name}: ${fault}`);
}
