import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { openApi } from '@gp/reference';
import { compileApiContract } from '@gp/testing';

const published = compileApiContract(await openApi());

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as a merchant's code would see it. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type Sent = {
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it stands when it is text or bytes, else as JSON. */
  readonly body?: unknown;
};

export type Client = ReturnType<typeof openClient>;

/** A merchant's HTTP client; every response it sees is checked against openapi.json. */
export function openClient(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = (method: string, path: string, o: Sent = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const payload = toBytes(o.body);
      const headers: OutgoingHttpHeaders = {
        authorization: `Bearer ${o.key ?? key}`,
        ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
        ...(o.idempotencyKey !== undefined && { 'idempotency-key': o.idempotencyKey }),
        ...o.headers,
      };
      if (headers['authorization'] === undefined) delete headers['authorization'];
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const reply = { status: response.statusCode ?? 0, headers: response.headers, text };
          try {
            const body = (text === '' ? {} : JSON.parse(text)) as Reply['body'];
            // Preflight requests of browsers are part of no interface.
            if (path.startsWith('/v1') && method !== 'OPTIONS')
              published.assertExchange({ method, path, ...reply, body });
            resolve({ ...reply, body });
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      sent.on('error', reject);
      sent.end(payload);
    });
  return {
    send,
    get: (path: string, o?: Sent) => send('GET', path, o),
    post: (path: string, body?: unknown, o?: Sent) => send('POST', path, { ...o, body }),
    close: () => agent.destroy(),
  };
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
