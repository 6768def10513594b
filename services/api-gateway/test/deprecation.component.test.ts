import { expect, it } from '@jest/globals';
import { publicApi } from '@gp/contracts';
import { createHttpApp, listen } from '@gp/http';
import { endpoint } from '../src/http/request/endpoint.ts';

const caller = { kind: 'secret_key', merchantId: 'm1', mode: 'test', principal: 'secret' } as const;
const parts = {
  authenticate: async () => caller,
  admit: () => undefined,
  cors: { setHeaders: async () => undefined, preflights: () => [] },
};
const { listWebhooks, listEvents } = publicApi.operations;
const ending = { ...listEvents, deprecated: { since: '2030-01-01', sunset: '2031-01-01' } };

/** Headers of an operation's answer. */
async function fetchHeaders(operation: publicApi.Operation): Promise<(string | null)[]> {
  const route = endpoint(parts, operation, async () => ({ status: 200, body: {} }));
  const server = await listen(createHttpApp({ routes: [route] }), { host: '127.0.0.1', port: 0 });
  const { headers } = await fetch(`http://127.0.0.1:${server.port}${operation.path}`, {
    headers: { connection: 'close' },
  });
  await server.close(1_000);
  return ['deprecation', 'sunset'].map((name) => headers.get(name));
}

it('an operation that will end states since when that is known and when it ends, and no other does (Q17)', async () => {
  expect(await fetchHeaders(ending)).toEqual(['@1893456000', 'Wed, 01 Jan 2031 00:00:00 GMT']);
  expect(await fetchHeaders(listWebhooks)).toEqual([null, null]);
});
