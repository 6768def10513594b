import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteEndpoint, findEndpoint, listEndpoints, updateEndpoint } from '@gp/contracts';
import { eventually } from '@gp/testing';
import type { Dispatching } from './support/process.ts';
import { status } from './support/receiver.ts';
import { openService, verifyRequest, type Merchant, type Service } from './support/service.ts';

/** Makes Node's block list let everything pass, as a broken release of it would. */
const blindGuard = new URL('./support/blind-guard.mjs', import.meta.url).href;

let service: Service;

describe('the service', () => {
  let dispatcher: Dispatching;
  /** Each test has a merchant of its own. */
  let merchant: Merchant;

  beforeAll(async () => {
    service = await openService();
    dispatcher = await service.start();
  });
  beforeEach(async () => {
    merchant = await service.openMerchant();
  });
  afterAll(() => service?.close());

  it('the service delivers what the ledger publishes, and logs it in the trace of the payment', async () => {
    const { secret } = await merchant.register();
    const event = merchant.makeEvent();
    await merchant.publish(event, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00');
    const [request] = await merchant.receiver.receive(1);
    const { id, type, created, data } = event;
    expect(verifyRequest(request!, secret)).toEqual({ id, type, created, data });
    expect(await dispatcher.says('webhook delivered', { event_id: event.id })).toMatchObject({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      event_type: 'group_payment.paid',
      http_status: 200,
    });
    expect(JSON.stringify(dispatcher.lines)).not.toContain(secret.slice('whsec_'.length));
  });

  it('the service keeps endpoints of merchants and modes apart', async () => {
    const { bus } = service;
    const { scope } = merchant;
    const mine = await merchant.register();
    const live = await merchant.register({ mode: 'live' });
    const { secret, ...view } = mine;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(await bus.call(listEndpoints, scope)).toEqual({ endpoints: [view] });
    expect(await bus.call(findEndpoint, { ...scope, id: mine.id })).toEqual(view);
    for (const other of [
      { ...scope, id: live.id },
      { ...scope, merchant_id: 'm2', id: mine.id },
    ]) {
      const missing = { code: 'not_found', message: 'webhook endpoint not found' };
      await expect(bus.call(findEndpoint, other)).rejects.toMatchObject(missing);
      await expect(bus.call(updateEndpoint, { ...other, enabled: false })).rejects.toMatchObject(missing);
      await expect(bus.call(deleteEndpoint, other)).rejects.toMatchObject(missing);
    }
    expect(await bus.call(findEndpoint, { ...scope, id: mine.id })).toMatchObject({ enabled: true });
  });

  it('the service changes the given fields and nothing else', async () => {
    const { secret: _shown, ...made } = await merchant.register();
    const change = (o: object) => service.bus.call(updateEndpoint, { ...merchant.scope, id: made.id, ...o });
    const named = await change({ description: 'shop' });
    expect(named).toMatchObject({ ...made, description: 'shop', updated_at: named.updated_at });
    expect(Date.parse(named.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at));
    expect(await change({ event_types: ['group_payment.paid'] })).toMatchObject({
      description: 'shop',
      event_types: ['group_payment.paid'],
    });
    expect(await change({ event_types: [], description: null, enabled: false })).toMatchObject({
      url: made.url,
      description: null,
      event_types: [],
      enabled: false,
    });
    const refused = { code: 'validation_error', data: { param: 'url' } };
    await expect(change({ url: 'http://shop.example/' })).rejects.toMatchObject(refused);
    await expect(change({ event_types: ['group_payment.unheard_of'] })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it('the service deletes an endpoint once', async () => {
    const { bus } = service;
    const { scope } = merchant;
    const { id } = await merchant.register();
    expect(await bus.call(deleteEndpoint, { ...scope, id })).toEqual({ id, deleted: true });
    expect(await bus.call(listEndpoints, scope)).toEqual({ endpoints: [] });
    await expect(bus.call(deleteEndpoint, { ...scope, id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the service cancels by itself what waits for a deleted endpoint', async () => {
    merchant.receiver.answer(status(500));
    const { id } = await merchant.register();
    await merchant.publish(merchant.makeEvent());
    // Refused once: it waits for its next attempt, and nothing is under way.
    await merchant.receiver.receive(1);
    await merchant.waitForDeliveries(1, { attempts: 1 });
    await service.bus.call(deleteEndpoint, { ...merchant.scope, id });
    await merchant.waitForDeliveries(1, { status: 'cancelled' });
  });

  it('the service keeps an unreadable message as a dead letter', async () => {
    const event = { ...merchant.makeEvent(), sequence: 0 };
    await merchant.publish(event);
    await eventually(async () => {
      const { rows } = await service.db.pool.query('select 1 from dead_letters where message_id = $1', [
        event.id,
      ]);
      return rows.length === 1 || undefined;
    });
  });
});

describe('a new process of the service', () => {
  let merchant: Merchant;

  beforeEach(async () => {
    service = await openService();
    merchant = await service.openMerchant();
  });
  afterEach(() => service?.close());

  it('the service delivers what was published while it was down (F4)', async () => {
    const first = await service.start();
    await merchant.register();
    await first.end();
    await merchant.publish(merchant.makeEvent());
    await service.start();
    await merchant.waitForDeliveries(1, { status: 'delivered' });
    expect(merchant.receiver.received).toHaveLength(1);
  });

  it('the service finishes work in flight when it is stopped', async () => {
    merchant.receiver.answer((response) => void setTimeout(() => response.end(), 500));
    const dispatcher = await service.start();
    await merchant.register();
    await merchant.publish(merchant.makeEvent());
    await merchant.receiver.receive(1);
    dispatcher.signal('SIGTERM');
    expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
    expect(await merchant.listDeliveries()).toMatchObject([{ status: 'delivered' }]);
  });

  it('the service measures due and sent deliveries', async () => {
    merchant.receiver.answer(status(500));
    const dispatcher = await service.start();
    const { port } = await dispatcher.says('started');
    await merchant.register();
    await merchant.publish(merchant.makeEvent());
    await eventually(async () => {
      const page = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
      const shown = [
        /gp_webhook_attempts_total\{outcome="status_5xx"[^}]*\} 1/,
        /gp_webhook_due_deliveries(\{[^}]*\})? 0/,
        /gp_webhook_oldest_due_seconds(\{[^}]*\})? 0/,
        /gp_webhook_lanes\{state="closed"[^}]*\} 1/,
      ];
      return shown.every((line) => line.test(page)) || undefined;
    });
  });
});

describe('a start', () => {
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service?.close());

  const refusal = async (env: Record<string, string>) => {
    const process = service.launch(env);
    const { code } = await process.ended;
    return { code, said: JSON.stringify(process.lines) };
  };

  it('a start is refused when a live worker could lose its claim', async () => {
    const { code, said } = await refusal({ LEASE_MS: '16000' });
    expect(code).toBe(78);
    expect(said).toContain('LEASE_MS');
  });

  it('a start is refused when one endpoint could fill the pool', async () => {
    expect(await refusal({ MAX_IN_FLIGHT: '30' })).toMatchObject({ code: 78 });
  });

  it('a start is refused when the address guard does not block', async () => {
    const { code, said } = await refusal({ NODE_OPTIONS: `--import ${blindGuard}` });
    expect(code).toBe(78);
    expect(said).toContain('refusing to start');
  });
});
