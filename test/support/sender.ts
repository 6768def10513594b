import { Client, Pool, type Dispatcher } from 'undici';

/** One request. */
export type Ask = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly origin: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
export type Reply = {
  readonly status: number;
  readonly text: string;
  /** Whether the answer says when to ask again. */
  readonly hasRetryAfter: boolean;
};

export type Sender = { send(ask: Ask): Promise<Reply>; close(): Promise<void> };

const CONNECTIONS = 8;

/**
 * Sends requests over connections that are kept alive, and tries nothing again but for one case. As proxies and browsers
 * do, it sends a request once more where the other side closed a kept connection before a byte of an answer (RFC 9112,
 * 9.3.1): on a new one, since the other side may have closed all the others too.
 */
export function openSender(): Sender {
  const pools = new Map<string, Pool>();
  const findPool = (origin: string): Pool => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
    pools.set(origin, pool);
    return pool;
  };
  return {
    async send({ method, origin, path, headers = {}, body = null }) {
      const request = { method, path, headers, body };
      const response = await findPool(origin)
        .request(request)
        .catch((error: unknown) => {
          if (!isClosed(error)) throw error;
        });
      return response ? read(response) : sendAnew(origin, request);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

async function sendAnew(origin: string, request: Dispatcher.RequestOptions): Promise<Reply> {
  const client = new Client(origin);
  try {
    return await read(await client.request(request));
  } finally {
    await client.close();
  }
}

async function read({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Reply> {
  return { status, text: await body.text(), hasRetryAfter: headers['retry-after'] !== undefined };
}

const isClosed = (error: unknown): boolean => /other side closed|ECONNRESET/.test(String(error));
