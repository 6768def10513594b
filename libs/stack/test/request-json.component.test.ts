import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { requestJson } from '../src/request-json.ts';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** A server that returns each of these statuses in turn. */
async function answering(...statuses: number[]): Promise<string> {
  server = createServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 500, { connection: 'close' }).end('{"left":0}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('a request is repeated after a busy answer or a timeout', async () => {
  const url = await answering(503, 408, 200);
  expect((await requestJson('POST', url, {})).body).toEqual({ left: 0 });
});

it('a request is not repeated after a refusal', async () => {
  const url = await answering(409, 200);
  await expect(requestJson('POST', url, {})).rejects.toThrow(/answered 409: {"left":0}/);
});
