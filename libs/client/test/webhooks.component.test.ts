import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { verifyWebhook, WebhookSignatureError, type WebhookHeaders } from '../src/webhooks.ts';
import { createApp } from './endpoints/express.ts';
import { createHandler } from './endpoints/fetch.ts';
import { createEndpoint } from './endpoints/node.ts';

describe('verifyWebhook', () => {
  const secret = 'whsec_bXk=';
  const now = 1_900_000_000_000;
  const t = now / 1_000;
  const rawBody = Buffer.from('{"id":"e","type":"group_payment.paid","created":"x","data":{}}');
  const v1 = (at = t, key = secret) =>
    createHmac('sha256', key).update(`${at}.`).update(rawBody).digest('hex');
  const verify = (signature: string | undefined, body: Uint8Array = rawBody) =>
    verifyWebhook({ rawBody: body, signature, secret, now });

  it('verifyWebhook resolves with the event when one of several signatures fits', async () => {
    expect(await verify(`t=${t},v1=${v1()}`)).toMatchObject({ id: 'e', type: 'group_payment.paid' });
    expect((await verify(`t=${t},v1=${v1(t, 'whsec_old')},v1=${v1()}`)).id).toBe('e');
  });

  it('verifyWebhook accepts a delivery 300 seconds away and refuses 301, old or from the future', async () => {
    for (const away of [-300, 300]) expect((await verify(`t=${t + away},v1=${v1(t + away)}`)).id).toBe('e');
    for (const away of [-301, 301])
      await expect(verify(`t=${t + away},v1=${v1(t + away)}`)).rejects.toThrow(WebhookSignatureError);
  });

  it.each<[string, string | undefined]>([
    ['no header', undefined],
    ['no signature', `t=${t}`],
    ['another secret', `t=${t},v1=${v1(t, 'whsec_other')}`],
    ['another time', `t=${t + 1},v1=${v1()}`],
    ['two times', `t=${t},t=${t},v1=${v1()}`],
    ['half a signature', `t=${t},v1=${v1().slice(0, 32)}`],
    ['another scheme', `t=${t},v0=${v1()}`],
  ])('verifyWebhook refuses %s', async (_what, header) => {
    await expect(verify(header)).rejects.toThrow(WebhookSignatureError);
  });

  it('verifyWebhook refuses a body with one byte more, and every body when the secret is empty', async () => {
    const longer = Buffer.concat([rawBody, Buffer.from(' ')]);
    await expect(verify(`t=${t},v1=${v1()}`, longer)).rejects.toThrow(WebhookSignatureError);
    const empty = verifyWebhook({ rawBody, signature: `t=${t},v1=${v1(t, '')}`, secret: '', now });
    await expect(empty).rejects.toThrow('the secret is empty');
  });

  it('verifyWebhook finds the header among those of Node, of Express and of a Request', async () => {
    const signature = `t=${t},v1=${v1()}`;
    const all: WebhookHeaders[] = [
      { host: 'a', 'service-signature': signature },
      { 'Service-Signature': [signature] },
      new Headers({ 'Service-Signature': signature }),
    ];
    for (const headers of all) expect((await verifyWebhook({ rawBody, headers, secret, now })).id).toBe('e');
    const values = [[signature], signature] as const;
    for (const value of values)
      expect((await verifyWebhook({ rawBody, signature: value, secret, now })).id).toBe('e');
    const twice = verifyWebhook({ rawBody, signature: [signature, signature], secret, now });
    await expect(twice).rejects.toThrow('no time, or several');
  });

  it('verifyWebhook names the header that is wanted when it is missing or another one', async () => {
    const none: (string | null | undefined | string[])[] = [undefined, null, '', []];
    for (const signature of none)
      await expect(verifyWebhook({ rawBody, signature, secret, now })).rejects.toThrow(
        new WebhookSignatureError('the header Service-Signature is missing'),
      );
    for (const headers of [{}, { 'webhook-signature': 'v1,abc=' }, new Headers()])
      await expect(verifyWebhook({ rawBody, headers, secret, now })).rejects.toThrow(
        'the header Service-Signature is missing',
      );
    for (const other of ['v1,bm90IGhleA==', String(t), 'group_payment.paid'])
      await expect(verify(other)).rejects.toThrow(
        'pass the header Service-Signature, "t=<seconds>,v1=<hex>"',
      );
  });

  it('verifyWebhook takes the raw body as bytes, buffer or text, and says so when it gets another value', async () => {
    const signature = `t=${t},v1=${v1()}`;
    const pieces = [new Uint8Array(rawBody), new Uint8Array(rawBody).buffer, rawBody.toString()];
    for (const piece of pieces)
      expect((await verifyWebhook({ rawBody: piece, signature, secret, now })).id).toBe('e');
    const wrong: [unknown, string][] = [
      [JSON.parse(rawBody.toString()), 'rawBody is a parsed value: pass the body as it was received'],
      [{}, 'rawBody is a parsed value'],
      [7, 'rawBody is a parsed value'],
      [undefined, 'rawBody is missing: pass the body as it was received'],
    ];
    for (const [value, message] of wrong) {
      const refused = verifyWebhook({ rawBody: value as string, signature, secret, now });
      await expect(refused).rejects.toThrow(WebhookSignatureError);
      await expect(refused).rejects.toThrow(message);
    }
  });
});

describe('an endpoint of the README', () => {
  const secret = 'whsec_bXk=';
  const body = '{"id":"e","type":"group_payment.paid","created":"x","data":{}}';
  let server: Server | undefined;
  afterEach(async () => {
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    server = undefined;
  });

  /** Returns what sends a request to a server of the README. */
  async function serve(opened: Server) {
    server = opened;
    if (!server.listening) await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return async (init: RequestInit) => fetch(`http://127.0.0.1:${port}/webhooks`, init);
  }

  type Handle = Parameters<typeof createHandler>[1];
  const open: Record<string, (handle: Handle) => ReturnType<typeof serve>> = {
    'node:http': (handle) => serve(createEndpoint(secret, handle).listen(0, '127.0.0.1')),
    Express: (handle) => serve(createApp(secret, handle).listen(0, '127.0.0.1')),
    fetch: async (handle) => (init) =>
      createHandler(secret, handle)(new Request('https://shop.example/webhooks', init)),
  };

  it.each(Object.keys(open))(
    'the endpoint with %s takes a genuine delivery, refuses a forged one with 400, and a failing handler gets 500',
    async (kind) => {
      const handled: string[] = [];
      const handle: Handle = async ({ id }) => {
        if (handled.push(id) === 2) throw new Error('the database is away');
      };
      const post = await open[kind]!(handle);
      const t = Math.floor(Date.now() / 1_000);
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
      const send = async (text: string, headers: Record<string, string>) => {
        const all = { 'content-type': 'application/json', ...headers };
        return (await post({ method: 'POST', headers: all, body: text })).status;
      };
      const signed = { 'service-signature': `t=${t},v1=${v1}` };
      expect([await send(`${body} `, signed), await send(body, {})]).toEqual([400, 400]);
      expect(handled).toEqual([]);
      expect([await send(body, signed), await send(body, signed)]).toEqual([204, 500]);
      expect(handled).toEqual(['e', 'e']);
    },
  );
});
