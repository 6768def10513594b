import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { groupChanged } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { send } from './support/client.ts';
import { password } from './support/dashboard.ts';
import { openStream, type EventStream } from './support/event-stream.ts';
import { openService, ownerEmail, type Service } from './support/service.ts';

const PATH = '/api/test/changes';

let service: Service;
let merchantId: string;
const open: EventStream[] = [];
beforeAll(async () => {
  service = await openService();
  const me = await send(service.port, 'GET', '/api/me', { cookie: service.cookie });
  merchantId = String(me.body['merchant_id']);
});
afterEach(async () => {
  open.splice(0).forEach((stream) => stream.close());
  await service.endProcesses();
});
afterAll(() => service?.close());

async function follow(port: number, cookie: string): Promise<EventStream> {
  const stream = await openStream(port, PATH, { cookie });
  open.push(stream);
  expect(await stream.next()).toMatchObject({ name: 'ready' });
  return stream;
}

/** Announces a change again and again until a stream has heard of it: a process that has just started may not be connected. */
async function hears(stream: EventStream): Promise<void> {
  const group_id = randomUUID();
  const heard = (async () => {
    for (;;) {
      const event = await stream.nextChange();
      if (!event || JSON.stringify(event.data).includes(group_id)) return event;
    }
  })();
  let isHeard = false;
  void heard.then(() => (isHeard = true));
  await eventually(() => {
    const note = { merchant_id: merchantId, mode: 'test', group_id, version: 2 };
    service.others.announce(`${groupChanged.subject}.${group_id}`, note);
    return isHeard || undefined;
  });
  expect(await heard).toMatchObject({ name: 'changed' });
}

it('each replica hears every change, and a process that stops ends its streams properly and at once (Q53)', async () => {
  const second = service.launch();
  const streams = [
    await follow(service.port, service.cookie),
    await follow(await second.port, service.cookie),
  ] as const;
  await Promise.all(streams.map(hears));
  const stopping = second.stop();
  expect(await streams[1].nextChange()).toBeUndefined();
  expect((await stopping).code).toBe(0);
  await hears(streams[0]);
});

it('a stream ends a moment after the logout, at whichever replica either is (Q53)', async () => {
  const second = service.launch();
  const at = await second.port;
  const { cookie } = await send(service.port, 'POST', '/api/login', {
    body: { email: ownerEmail, password },
  });
  const stream = await follow(at, cookie);
  expect((await send(service.port, 'POST', '/api/logout', { cookie })).status).toBe(200);
  expect(await stream.nextChange()).toEqual({ name: 'end', data: {} });
  expect(await stream.next()).toBeUndefined();
});
