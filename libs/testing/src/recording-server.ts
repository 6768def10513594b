import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as received: header names in their spelling and order, the body byte for byte. */
export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
};

export type RecordingServer = {
  /** Address of the server, without a path. */
  readonly url: string;
  /** Returns the requests since the last call, oldest first. */
  take(): RecordedRequest[];
  close(): Promise<void>;
};

/** Headers that the transport writes, or that name the machine and not our request. */
const UNRECORDED = /^(host|connection|proxy-connection|content-length|(.+-)?user-agent):/i;

/**
 * Starts an HTTP server that records its requests and returns JSON. It is a proxy, too: CONNECT is recorded and
 * leads back to the server itself.
 */
export async function openRecordingServer(
  answer: (request: RecordedRequest) => unknown,
): Promise<RecordingServer> {
  let recorded: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = toRecorded(request, body);
      recorded.push(one);
      response.setHeader('connection', 'close');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(one)));
    });
  });
  server.on('connect', (request, socket) => {
    recorded.push(toRecorded(request, ''));
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = recorded;
      recorded = [];
      return taken.map((one) => ({ ...one, path: one.path.replace(`:${port}`, ':PORT') }));
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function toRecorded({ method = '', url = '', rawHeaders }: IncomingMessage, body: string): RecordedRequest {
  const headers = rawHeaders.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${rawHeaders[at + 1]}`] : []));
  return { method, path: url, headers: headers.filter((line) => !UNRECORDED.test(line)), body };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
