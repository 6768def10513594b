import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as its service sent it; instants are nanoseconds since 1970 as text, as OTLP has them. */
export type ReceivedSpan = {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Empty or absent at the root of a trace. */
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events?: readonly unknown[];
  readonly status?: { readonly code?: number; readonly message?: string };
};

type Export = {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
};

/** Returns the spans of one export, each with the name of its service. */
export function parseSpans(body: string): ReceivedSpan[] {
  return (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const named = resource.attributes.find(({ key }) => key === 'service.name');
    const service = named?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ service, ...span })));
  });
}

export type TraceReceiver = {
  /** The settings with which a service sends its traces here. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** Receives traces over OTLP/HTTP in JSON as a collector does, and passes each body to `take`; port 0 takes any. */
export async function receiveTraces(port: number, take: (body: string) => void): Promise<TraceReceiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      take(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Writes every span sent to the port as a line of a new file; readable by its owner only. */
export async function openTraceSink(port: number, file: string): Promise<TraceReceiver> {
  const stream = createWriteStream(file, { flags: 'w', mode: 0o600 });
  await once(stream, 'open');
  const receiver = await receiveTraces(port, (body) => {
    for (const span of parseSpans(body)) stream.write(JSON.stringify(span) + '\n');
  });
  return {
    settings: receiver.settings,
    async close() {
      await receiver.close();
      stream.end();
      await once(stream, 'close');
    },
  };
}
