import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
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

/** Passes connections on to a server; `delayOf` says how many ms a chunk of a client, and what follows it, waits. */
async function openProxy(serverUrl: string, delayOf: (chunk: Buffer) => number = () => 0) {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let sent = Promise.resolve();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      sent = sent.then(() => delay(delayOf(chunk))).then(() => void upstream.write(chunk));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakConnections: () => sockets.forEach((socket) => socket.destroy()),
    /** Passes nothing more over the present connections, and leaves them open. */
    fallSilent: () => sockets.forEach((socket) => socket.pause()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a bus leaves a server that has fallen silent, as one on a lost machine does, and connects again', async () => {
  const nats = await testNats();
  const proxy = await openProxy(nats.url);
  const bus = await openBus({ servers: proxy.url, name: 'test' });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => (bus.isConnected() && others.isConnected()) || undefined);
  const heard: unknown[] = [];
  others.listen('note.test.>', ({ payload }) => heard.push(payload));
  proxy.fallSilent();
  // The bus still takes its connection for open: messages arrive only after it has made another one.
  const speaking = setInterval(() => bus.announce('note.test.here', 1), 100);
  await eventually(() => heard.includes(1) || undefined, { withinMs: 60_000 });
  clearInterval(speaking);
  await bus.close();
  await others.close();
  await proxy.close();
  await nats.stop();
});

/** Delays each subscription, as a busy server does. */
const delaySubscriptions = (chunk: Buffer): number => (chunk.includes('SUB ') ? 300 : 0);

it('work that waits for the connection runs once the server has the subscriptions of the listeners (X15)', async () => {
  const nats = await testNats();
  const proxy = await openProxy(nats.url, delaySubscriptions);
  const bus = await openBus({ servers: proxy.url, name: 'test' });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => (bus.isConnected() && others.isConnected()) || undefined);
  const heard: unknown[] = [];
  bus.listen('note.test.>', ({ payload }) => heard.push(payload));
  let times = 0;
  bus.whenConnected(() => {
    times += 1;
    others.announce('note.test.back', times);
  });
  proxy.breakConnections();
  await eventually(() => times === 1 || undefined);
  await eventually(() => heard.includes(1) || undefined);
  await bus.close();
  await others.close();
  await proxy.close();
  await nats.stop();
});
