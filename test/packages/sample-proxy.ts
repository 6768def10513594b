import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request of one sample with the answer of the platform. */
export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly request?: unknown;
  readonly idempotencyKey: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Nothing of a stream. */
  readonly body: unknown;
};

const PASSED_ON = ['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'accept'];

/**
 * Opens a proxy that keeps what samples ask and are answered. The address of a sample has its language and operation in
 * front of the path, so one process may run all samples of a language. A stream ends after its first event: `wake` has to
 * bring one about.
 */
export async function openSampleProxy(upstream: string, wake: (language: string) => Promise<void>) {
  const exchanges = new Map<string, Exchange[]>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, language = '', operation = '', ...rest] = (request.url ?? '').split('/');
    const { method = '' } = request;
    const path = `/${rest.join('/')}`;
    const body = await text(request);
    const headers = new Headers();
    for (const name of PASSED_ON) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const answer = await fetch(upstream + path, { method, headers, ...(body !== '' && { body }) });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const answered = isStream ? await readFirstEvent(answer, () => wake(language)) : await answer.text();
    const name = `${language}/${operation}`;
    const exchange: Exchange = {
      method,
      path,
      ...(body !== '' && { request: JSON.parse(body) as unknown }),
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: isStream ? '' : (JSON.parse(answered) as unknown),
    };
    exchanges.set(name, [...(exchanges.get(name) ?? []), exchange]);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(answered);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    buildAddress: (language: string, operation: string) => `${base}/${language}/${operation}`,
    listExchanges: (language: string, operation: string) => exchanges.get(`${language}/${operation}`) ?? [],
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type SampleProxy = Awaited<ReturnType<typeof openSampleProxy>>;

/** Reads up to the end of the first event. The message before it is no event: it says that the stream has begun. */
async function readFirstEvent(answer: Response, wake: () => Promise<void>): Promise<string> {
  let read = '';
  let isAwake = false;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    read += Buffer.from(chunk).toString();
    const messages = read.split('\n\n').slice(0, -1);
    if (!isAwake && messages.some((message) => /^event: ready$/m.test(message))) {
      isAwake = true;
      await wake();
    }
    if (messages.some((message) => /^data:/m.test(message) && !/^event: ready$/m.test(message))) break;
  }
  return read;
}
