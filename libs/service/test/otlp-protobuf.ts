export type ExportedSpan = {
  /** What describes the process that made the span. */
  readonly resource: Readonly<Record<string, string | number>>;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2 for an error. */
  readonly statusCode: number;
};

/** The fields of a protobuf message by their numbers: bytes of texts and messages, numbers as integers. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** Decodes the traces of an export as the published `trace_service.proto` describes it. */
export function decodeTraces(body: Buffer): ExportedSpan[] {
  return listMessages(readMessage(body), 1).flatMap((exported) => {
    const [resource = new Map()] = listMessages(exported, 1);
    const attributes = readAttributes(resource, 1);
    return listMessages(exported, 2).flatMap((scope) =>
      listMessages(scope, 2).map((span) => ({ resource: attributes, ...readSpan(span) })),
    );
  });
}

function readSpan(span: Message): Omit<ExportedSpan, 'resource'> {
  const [status = new Map()] = listMessages(span, 15);
  return {
    traceId: readHex(span, 1),
    spanId: readHex(span, 2),
    parentSpanId: readHex(span, 4),
    name: readText(span, 5),
    kind: readNumber(span, 6),
    attributes: readAttributes(span, 9),
    links: listMessages(span, 13).map((link) => ({ traceId: readHex(link, 1), spanId: readHex(link, 2) })),
    statusCode: readNumber(status, 3),
  };
}

function readAttributes(message: Message, field: number): Record<string, string | number> {
  return Object.fromEntries(
    listMessages(message, field).map((pair) => {
      const [value = new Map()] = listMessages(pair, 2);
      return [readText(pair, 1), value.has(1) ? readText(value, 1) : readNumber(value, 3)];
    }),
  );
}

function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  const readValue = (wireType: number): Buffer | bigint => {
    if (wireType === 0) return readVarint();
    if (wireType === 1) return take(8).readBigUInt64LE();
    if (wireType === 2) return take(Number(readVarint()));
    if (wireType === 5) return BigInt(take(4).readUInt32LE());
    throw new Error(`no wire type ${wireType}`);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const field = tag >> 3;
    fields.set(field, [...(fields.get(field) ?? []), readValue(tag & 7)]);
  }
  return fields;
}

const readBytes = (message: Message, field: number): Buffer => {
  const value = message.get(field)?.[0];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};
const readHex = (message: Message, field: number): string => readBytes(message, field).toString('hex');
const readText = (message: Message, field: number): string => readBytes(message, field).toString('utf8');
const readNumber = (message: Message, field: number): number => Number(message.get(field)?.[0] ?? 0);
const listMessages = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [readMessage(value)] : []));
