import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TLSSocket, type SecureContextOptions, type TlsOptions } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { decodeTraces, type ExportedSpan } from './otlp-protobuf.ts';

export type ReceivedSpan = ExportedSpan & { readonly service: string };

export type Receiver = {
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  readonly requests: readonly ReceivedRequest[];
  /** Ends all connections. */
  hangUp(): void;
  close(): Promise<void>;
};

type ReceivedRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The name in the certificate of the sender. */
  readonly sender: unknown;
};

/** A collector that stores the traces it receives, in protobuf, and the requests that brought them. */
export async function otlpReceiver(): Promise<Receiver> {
  const { receive, ...received } = store();
  const server = createServer(receive);
  const { port, ...connections } = await listen(server);
  return { endpoint: `http://127.0.0.1:${port}`, ...received, ...connections };
}

/** The same over TLS; `renew` gives it another certificate for connections to come. */
export async function secureOtlpReceiver(
  tls: TlsOptions,
): Promise<Receiver & { renew(tls: SecureContextOptions): void }> {
  const { receive, ...received } = store();
  const server = createSecureServer(tls, receive);
  const { port, ...connections } = await listen(server);
  return {
    endpoint: `https://localhost:${port}`,
    ...received,
    ...connections,
    renew: (renewed) => server.setSecureContext(renewed),
  };
}

function store(): Pick<Receiver, 'spans' | 'requests'> & { readonly receive: RequestListener } {
  const spans: ReceivedSpan[] = [];
  const requests: ReceivedRequest[] = [];
  const receive: RequestListener = (request, response) => {
    const { socket } = request;
    // An unknown sender has a certificate without a subject.
    const sender: unknown = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
    void buffer(request).then((sent) => {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      requests.push({ path: request.url ?? '', headers: request.headers, sender });
      for (const span of decodeTraces(body))
        spans.push({ ...span, service: String(span.resource['service.name']) });
      response.setHeader('content-type', 'application/x-protobuf').end();
    });
  };
  return { spans, requests, receive };
}

async function listen(
  server: Server | SecureServer,
): Promise<{ port: number; hangUp(): void; close(): Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hangUp: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
