import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { RequestInfo } from '@gp/http';
import { createLogger } from '@gp/telemetry';
import { observing } from './http-intake.ts';

function openWorld() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  return { lines, log: createLogger({ service: 'test', level: 'info', stream }) };
}

const info = (notes: Record<string, string>): RequestInfo => ({
  method: 'GET',
  route: '/v1/things/:id',
  path: '/v1/things/1',
  query: 'customer_email=ana%40example.com',
  headers: {},
  requestId: 'req_1',
  remoteAddress: '127.0.0.1',
  signal: new AbortController().signal,
  notes,
  receivedBody: () => undefined,
});

it('the line about a request says whose it was, and nothing that the log does not allow (Q40)', async () => {
  const { lines, log } = openWorld();
  const notes = { merchant_id: 'm1', mode: 'test', key_id: 'k1', email: 'ana@example.com' };
  await observing(log, {})(info(notes), () => Promise.resolve({ status: 200 }));
  expect(lines).toMatchObject([
    {
      merchant_id: 'm1',
      mode: 'test',
      key_id: 'k1',
      route: '/v1/things/:id',
      status: 200,
      request_id: 'req_1',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('ana');
});

it('an observer of a service sees the request inside its measure, and its outcome is the response', async () => {
  const { lines, log } = openWorld();
  const around = async (_info: RequestInfo, run: () => Promise<{ status: number }>) => ({
    status: (await run()).status + 1,
  });
  const outcome = await observing(log, { around })(info({}), () => Promise.resolve({ status: 200 }));
  expect(outcome).toEqual({ status: 201 });
  expect(lines).toMatchObject([{ status: 201 }]);
});
