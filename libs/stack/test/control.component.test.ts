import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { serveControl } from '../src/control.ts';
import { living, program, stopPrograms, type Program } from './programs.ts';

let control: Awaited<ReturnType<typeof serveControl>>;
let first: Program;
let second: Program;

beforeEach(async () => {
  [first, second] = [program(living), program(living)];
  await Promise.all([first.start(), second.start()]);
  control = await serveControl(
    0,
    new Map([
      ['group-ledger', { ...first, name: 'group-ledger' }],
      ['nats', { ...second, name: 'nats' }],
    ]),
  );
});
afterEach(async () => {
  await control.close();
  await stopPrograms();
});

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; body: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: control.port, method, path, headers, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode, body: JSON.parse(text) as Record<string, unknown> }),
        );
      },
    );
    sent.on('error', reject).end();
  });

it('lists every process with its id', async () => {
  const { status, body } = await ask('GET', '/processes');
  expect(status).toBe(200);
  expect(body).toEqual({ processes: [first.describe(), second.describe()] });
  expect(first.describe()).toMatchObject({ pid: expect.any(Number), state: 'running' });
});

describe('acts on the process that is named', () => {
  it('a killed process returns by itself, and the others are left alone', async () => {
    const before = [first.describe().pid, second.describe().pid];
    expect((await ask('POST', '/processes/group-ledger/kill')).status).toBe(200);
    await eventually(() => first.describe().state === 'running' || undefined);
    expect(first.describe().pid).not.toBe(before[0]);
    expect(second.describe().pid).toBe(before[1]);
  });

  it('a process that is stopped stays down until it is started', async () => {
    expect(await ask('POST', '/processes/nats/stop')).toMatchObject({
      status: 200,
      body: { pid: null, state: 'stopped' },
    });
    expect(await ask('POST', '/processes/nats/start')).toMatchObject({
      status: 200,
      body: { state: 'running' },
    });
  });
});

it.each([
  ['GET', '/'],
  ['POST', '/processes'],
  ['GET', '/processes/nats'],
  ['GET', '/processes/nats/kill'],
  ['POST', '/processes/nobody/kill'],
  ['POST', '/processes/nats/burn'],
  ['POST', '/processes/nats/kill/twice'],
  ['POST', '/processes/nats/describe'],
  ['POST', '/services/nats/kill'],
])('the control port answers %s %s with 404, and nothing happens', async (method, path) => {
  const before = [first.describe(), second.describe()];
  expect(await ask(method, path)).toEqual({ status: 404, body: { error: 'Not Found' } });
  expect([first.describe(), second.describe()]).toEqual(before);
});

it('the control port refuses requests of web pages', async () => {
  const before = second.describe();
  const { status } = await ask('POST', '/processes/nats/kill', { origin: 'http://evil.example' });
  expect([status, second.describe()]).toEqual([404, before]);
});
