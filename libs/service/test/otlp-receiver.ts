import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeTraces, type ExportedSpan } from './otlp-protobuf.ts';

export type ReceivedSpan = ExportedSpan & { readonly service: string };

/** A collector that stores the traces it receives, in protobuf, and the headers of the requests that brought them. */
export async function otlpReceiver(): Promise<{
  endpoint: string;
  spans: ReceivedSpan[];
  requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((sent) => {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      requests.push({ path: request.url ?? '', headers: request.headers });
      for (const span of decodeTraces(body))
        spans.push({ ...span, service: String(span.resource['service.name']) });
      response.setHeader('content-type', 'application/x-protobuf').end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
