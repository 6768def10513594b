import { expect, it } from '@jest/globals';
import { eventually, testNats } from '@gp/testing';
import { openBus } from '../src/index.ts';

it('work that waits for the connection runs each time it is there again, until it is closed (X15)', async () => {
  const nats = await testNats();
  const bus = await openBus({ servers: nats.url, name: 'test' });
  await eventually(() => bus.isConnected() || undefined);
  let times = 0;
  const heard: unknown[] = [];
  bus.listen('note.test.>', ({ payload }) => heard.push(payload));
  const waiting = bus.whenConnected(() => {
    times += 1;
    bus.announce('note.test.back', times);
  });
  for (const round of [1, 2]) {
    await nats.down();
    await nats.up();
    await eventually(() => times === round || undefined);
    // Listeners hear again by then.
    await eventually(() => heard.includes(round) || undefined);
  }
  await waiting.close();
  await nats.down();
  await nats.up();
  await eventually(() => bus.isConnected() || undefined);
  expect(times).toBe(2);
  await bus.close();
  await nats.stop();
});
