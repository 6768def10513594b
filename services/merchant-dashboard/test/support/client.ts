import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** The session cookie as the next request sends it. */
  readonly cookie: string;
};
export type Sent = {
  readonly cookie?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
};

/**
 * Sends one request on a connection of its own. Text and bytes are sent as they stand, the rest as JSON. A stream of
 * events has no end: only its head is read.
 */
export function send(port: number, method: string, path: string, o: Sent = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const payload = toBytes(o.body);
    const headers: OutgoingHttpHeaders = {
      ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
      ...(o.cookie !== undefined && { cookie: o.cookie }),
      ...o.headers,
    };
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
      const head = { status: response.statusCode ?? 0, headers: response.headers, cookie };
      if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
        resolve({ ...head, body: {} });
        response.destroy();
        return;
      }
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ ...head, body: (text === '' ? {} : JSON.parse(text)) as Reply['body'] });
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
