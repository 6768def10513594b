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

/** Passes connections on to a server, until those that are there fall silent: nothing passes, and nobody is told. */
async function openMutableProxy(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.push(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from
        .on('data', (chunk) => to.write(chunk))
        .on('error', () => undefined)
        .on('close', () => to.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent: () => sockets.forEach((socket) => socket.pause()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a bus leaves a server that has fallen silent, as one on a lost machine does, and connects again', async () => {
  const nats = await testNats();
  const proxy = await openMutableProxy(nats.url);
  const bus = await openBus({ servers: proxy.url, name: 'test' });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => (bus.isConnected() && others.isConnected()) || undefined);
  const heard: unknown[] = [];
  others.listen('note.test.>', ({ payload }) => heard.push(payload));
  proxy.fallSilent();
  // Its connection is there still, as far as it knows: what it says is heard when it has another one.
  const speaking = setInterval(() => bus.announce('note.test.here', 1), 100);
  await eventually(() => heard.includes(1) || undefined, { withinMs: 60_000 });
  clearInterval(speaking);
  await bus.close();
  await others.close();
  await proxy.close();
  await nats.stop();
});

/** Passes a bus's connection on to its server, and delays each subscription and what follows it, as a busy server does. */
async function openSlowProxy(serverUrl: string) {
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
    upstream.pipe(client);
    client.on('data', (chunk) => {
      const wait = chunk.includes('SUB ') ? 300 : 0;
      sent = sent.then(() => delay(wait)).then(() => void upstream.write(chunk));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakConnections: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('work that waits for the connection runs once the server has the subscriptions of the listeners (X15)', async () => {
  const nats = await testNats();
  const proxy = await openSlowProxy(nats.url);
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
