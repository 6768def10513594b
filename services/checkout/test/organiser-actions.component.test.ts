import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { organised } from './support/checkout.ts';
import { openVisitors, organisedWith, PAGE } from './support/organiser.ts';
import { home, openCheckoutWeb, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
const visitors = openVisitors(() => web);
beforeAll(async () => {
  web = await openCheckoutWeb();
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(() => web.reset());

describe('the actions of an organiser', () => {
  it('an extension and a cancellation go to the ledger with the token alone, and answer with the group as it is then (Q86)', async () => {
    const extended = await visitors.post(`${visitors.newLink()}/extend`, {
      expires_at: '2030-01-01T14:00:00+02:00',
    });
    expect(await extended.json()).toMatchObject({ rev: 2, expires_at: '2030-01-01T12:00:00.000Z' });
    expect(web.question('organiserExtend')).toMatchObject({
      token: expect.stringMatching(/^o+\d$/),
      expires_at: '2030-01-01T12:00:00.000Z',
    });
    const cancelled = await visitors.post(`${visitors.newLink()}/cancel`);
    expect(await cancelled.json()).toMatchObject({ state: 'cancelled', facts: { awaits_payers: false } });
    expect(web.question('organiserCancel')).toMatchObject({ token: expect.stringMatching(/^o+\d$/) });
  });

  it('an extension that is sent again is answered with the end that the merchant chose meanwhile (Q88)', async () => {
    const further = '2030-01-05T12:00:00.000Z';
    const group = { ...organised.group, expires_at: further, version: 3 };
    web.answer({ organiserExtend: async () => ({ ...organised, group }) });
    const again = await visitors.post(`${visitors.newLink()}/extend`, { expires_at: '2030-01-01T12:00:00Z' });
    expect([again.status, await again.json()]).toEqual([
      200,
      expect.objectContaining({ expires_at: further }),
    ]);
  });

  it.each([
    {},
    { expires_at: 1 },
    { expires_at: 'soon' },
    { expires_at: '+012030-01-01T00:00:00Z' },
    [],
    null,
  ])('an extension to no instant is refused before the ledger is asked: %j', async (body) => {
    const answer = await visitors.post(`${visitors.newLink()}/extend`, body);
    expect([answer.status, (await answer.json()) as object]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_error' }),
    ]);
    expect(web.steps()).toEqual([]);
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
  ])('an action that another site made the browser send is refused: %j (Q86)', async (headers) => {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    for (const action of ['remind', 'extend', 'cancel']) {
      const answer = await visitors.ask(`${visitors.newLink()}/${action}`, {
        method: 'POST',
        body: JSON.stringify({ expires_at: '2030-01-01T12:00:00Z' }),
        headers: { 'content-type': 'application/json', ...(given as Record<string, string>) },
      });
      expect(answer.status).toBe(403);
    }
    expect(web.steps()).toEqual([]);
  });

  it('an action of our own page, and of a program, is admitted; a form of another site has no JSON', async () => {
    const send = (headers: Record<string, string>) =>
      visitors.ask(`${visitors.newLink()}/cancel`, { method: 'POST', body: '{}', headers });
    expect((await send({ 'content-type': 'application/json', origin: home })).status).toBe(200);
    expect((await send({ 'content-type': 'application/json' })).status).toBe(200);
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('a refusal of the ledger keeps its code and its shape, and a right that was not given is a 403 (Q86)', async () => {
    web.answer({ organiserCancel: () => Promise.reject(new AppError('insufficient_scope')) });
    const refused = await visitors.post(`${visitors.newLink()}/cancel`);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'insufficient_scope' }),
    ]);
    web.answer({ organiserExtend: () => Promise.reject(new AppError('group_expired')) });
    const late = await visitors.post(`${visitors.newLink()}/extend`, { expires_at: '2030-01-01T12:00:00Z' });
    expect(await late.json()).toMatchObject({ code: 'group_expired' });
    web.answer({ findOrganised: async () => organisedWith({ may: ['cancel'] }) });
    expect((await visitors.post(`${visitors.newLink()}/remind`)).status).toBe(403);
  });

  it('an organiser without a right, and one without anybody to mail, sees no button of it', async () => {
    web.answer({ findOrganised: async () => organisedWith({ may: [], latest_expires_at: null }) });
    const html = await (await visitors.ask(PAGE, { headers: { 'accept-language': 'en' } })).text();
    for (const text of ['More time', 'Call it off', 'by mail']) expect(html).not.toContain(text);
    expect(html).toContain('Pay what is left: €21.00');
    expect(html).toContain('Send the link');
  });

  it('the actions of one link are limited, from whatever network they come (Q86)', async () => {
    const link = visitors.newLink();
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await visitors.post(`${link}/cancel`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
