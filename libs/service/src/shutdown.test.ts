import { expect, it } from '@jest/globals';
import { createLogger } from '@gp/telemetry';
import { openShutdown } from './shutdown.ts';

const log = createLogger({ service: 'test', level: 'silent', stream: { write: () => undefined } });
const recording = (order: string[], name: string) => ({ close: async () => void order.push(name) });

it('a shutdown ends work in flight before closing what it needs, last opened first', async () => {
  const order: string[] = [];
  const shutdown = openShutdown(log);
  shutdown.resource('db', recording(order, 'db'));
  shutdown.resource('bus', recording(order, 'bus'));
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (finish = resolve)).then(() => void order.push('slow'));
  shutdown.intake('slow', { close: () => slow });
  shutdown.intake('fast', recording(order, 'fast'));
  const stopped = shutdown.stop();
  expect(shutdown.isStopping).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['fast']);
  finish();
  await stopped;
  expect(order).toEqual(['fast', 'slow', 'bus', 'db']);
});

it('a part that cannot be closed does not keep another from closing', async () => {
  const order: string[] = [];
  const shutdown = openShutdown(log);
  const broken = { close: () => Promise.reject(new Error('stuck')) };
  shutdown.resource('db', recording(order, 'db'));
  shutdown.resource('broken', broken);
  shutdown.intake('broken', broken);
  shutdown.intake('http', recording(order, 'http'));
  await shutdown.stop();
  expect(order).toEqual(['http', 'db']);
});

it('a part that is opened while stopping is closed at once', async () => {
  const order: string[] = [];
  const shutdown = openShutdown(log);
  await shutdown.stop();
  shutdown.resource('late', recording(order, 'late'));
  expect(order).toEqual(['late']);
});

it('a process that is stopped twice closes once', async () => {
  const order: string[] = [];
  const shutdown = openShutdown(log);
  shutdown.resource('db', recording(order, 'db'));
  await Promise.all([shutdown.stop(), shutdown.stop()]);
  expect(order).toEqual(['db']);
});
