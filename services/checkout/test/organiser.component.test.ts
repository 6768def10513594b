import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganiserBootstrap } from '@gp/checkout-web/bootstrap';
import type { FoundGroup } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { found, groupId, organised, organiserToken, slotId } from './support/checkout.ts';
import { eventStream } from './support/event-stream.ts';
import { home, openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
beforeAll(async () => {
  web = await openCheckoutWeb({ mints: 200 });
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(() => web.reset());

const PAGE = `/o/${organiserToken}`;
let links = 0;
/** Another link of the same group, whose limit no other test has used. */
const newLink = () => `/o/${`${(links += 1)}`.padStart(22, 'o')}`;
const UNKNOWN = `/o/${'x'.repeat(22)}`;
const bootstrapIn = (html: string) =>
  JSON.parse(
    /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? '',
  ) as OrganiserBootstrap;
let from = 0;
/** A request from another network each time, so that no test uses up the limit of another one. */
const ask = (path: string, init: RequestInit = {}) =>
  web.ask(path, {
    ...init,
    headers: { 'x-forwarded-for': `198.51.100.${(from = (from + 1) % 250)}`, ...(init.headers as object) },
  });
const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
  });
const organisedWith = (changed: Partial<NonNullable<FoundGroup['group']['organiser']>>): FoundGroup => ({
  ...organised,
  group: { ...organised.group, organiser: { ...organised.group.organiser!, ...changed } },
});
/** The link is replaced: the ledger knows the token no more. */
const replaceLink = () => web.answer({ findOrganised: () => Promise.reject(notFound('group payment')) });

describe('the page of an organiser', () => {
  it('the page shows payee, amount and every slot in words, and begins with rights, latest end and the payers’ path (Q86)', async () => {
    await web.name('Casa Lola');
    const answer = await ask(PAGE, { headers: { 'accept-language': 'en-GB' } });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('<title>Dinner · Casa Lola</title>');
    for (const text of ['You organise this bill', 'Payment to Casa Lola', '€21.00', 'Share 1', 'Available'])
      expect(html).toContain(text);
    expect(bootstrapIn(html)).toMatchObject({
      kind: 'organiser',
      may: ['remind', 'extend', 'cancel'],
      latest_expires_at: '2030-01-02T12:00:00.000Z',
      remindable: 0,
      path: PAGE,
      payers_path: `/c/${pageToken}`,
      group: { id: groupId, slots: [{ state: 'unassigned' }, { state: 'unassigned' }] },
    });
    expect(html).not.toMatch(/og:|name="description"/);
  });

  it('the page gives no token of a session and no data of a payer, is not stored, indexed or framed, and posts nowhere else (Q86)', async () => {
    web.answer({
      findOrganised: async () => ({
        ...organised,
        group: { ...organised.group, metadata: { note: 'for Zarquon' } },
        slots: organised.slots.map((slot) => ({
          ...slot,
          assigned_customer_id: groupId,
          metadata: { who: 'zarquon' },
        })),
      }),
    });
    const answer = await ask(PAGE);
    const html = await answer.text();
    expect(html).not.toMatch(/zarquon|eyJ|"session"|assigned_customer/i);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'none'");
    expect(policy).toContain("frame-src 'none'");
  });

  it('the page is written in the language of the browser with the sentences of a file that no payer loads', async () => {
    const html = await (await ask(`${PAGE}?lang=ar`)).text();
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('أنت تنظم هذه الفاتورة');
    const own = /id="own-sentences" href="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(own).toMatch(/^\/assets\/organiser-ar-/);
    expect((await web.ask(own)).status).toBe(200);
    const payers = await (await ask(`/c/${pageToken}?lang=ar`)).text();
    expect(payers).not.toContain('organiser');
  });

  it.each([UNKNOWN, '/o/x', `/o/${'A'.repeat(2_000)}`, '/o/..%2f..'])(
    'an unknown link gets the answer of every unknown address: %.40s',
    async (path) => {
      const [answer, other] = [await ask(path), await ask('/c')];
      expect([answer.status, other.status]).toEqual([404, 404]);
      const bare = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '');
      expect(bare(await answer.text())).toBe(bare(await other.text()));
      for (const action of ['remind', 'extend', 'cancel'])
        expect((await post(`${path}/${action}`, { expires_at: '2030-01-01T12:00:00Z' })).status).toBe(404);
    },
  );

  it('a network that guesses links is limited, whatever it guesses (Q86)', async () => {
    const guess = (n: number) =>
      web.ask(`/o/${String(n).padStart(22, 'g')}`, { headers: { 'x-forwarded-for': '203.0.113.77' } });
    const answers = [];
    for (let n = 0; n < 201; n += 1) answers.push((await guess(n)).status);
    expect(answers.slice(0, 200).every((status) => status === 404)).toBe(true);
    expect(answers.at(-1)).toBe(429);
  });
});

describe('what payers get', () => {
  it('no page, picture, stream or token of a payer contains the link of the organiser (Q86)', async () => {
    web.answer({ find: async () => organised, findByPageToken: async () => organised });
    const { token } = await web.mint();
    const bearer = { authorization: `Bearer ${token}` };
    const events = `/v1/group-payments/${groupId}/events`;
    const stream = eventStream(await web.ask(events, { headers: bearer }));
    const texts = [
      await (await ask(`/c/${pageToken}`)).text(),
      await (await ask(`/c/${pageToken}/session`, { method: 'POST' })).text(),
      await (await web.ask(events, { headers: { ...bearer, accept: 'application/json' } })).text(),
      JSON.stringify(await stream.next()),
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ];
    await stream.close();
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toMatch(new RegExp(`${organiserToken}|organiser`));
    }
  });

  it('a payers’ link with choose=free begins with every available slot chosen, and reserves none', async () => {
    await web.activate('gateway_a');
    const html = await (await ask(`/c/${pageToken}?choose=free`)).text();
    const chosen = (text: string) => (text.match(/tile-chosen/g) ?? []).length;
    expect(chosen(html)).toBe(2);
    expect(chosen(await (await ask(`/c/${pageToken}?choose=all`)).text())).toBe(0);
    expect(web.steps()).not.toContain('reserve');
  });
});

describe('the live stream of an organiser', () => {
  it('the stream needs no token beside its path, and shows what changes (Q86)', async () => {
    const stream = eventStream(await ask(`${PAGE}/events`));
    expect(await stream.next()).toMatchObject({ name: 'snapshot', data: { rev: 1 } });
    web.change({
      ...found,
      group: { ...found.group, version: 2 },
      slots: found.slots.map((slot) => (slot.id === slotId ? { ...slot, state: 'preauthorised' } : slot)),
    });
    expect(await stream.next()).toMatchObject({
      name: 'change',
      data: { rev: 2, prev: 1, slots: [{ id: slotId, state: 'preauthorised' }] },
    });
    await stream.close();
    const picture = await ask(`${PAGE}/events`, { headers: { accept: 'application/json' } });
    expect(await picture.json()).toMatchObject({ rev: 2 });
  });

  it('a link that is replaced ends the page, the picture, the actions and the open streams (Q86)', async () => {
    const stream = eventStream(await ask(`${PAGE}/events`));
    await stream.next();
    web.answer({ findOrganised: () => Promise.reject(new AppError('service_unavailable')) });
    await web.endReplaced();
    replaceLink();
    const next = stream.next();
    await web.endReplaced();
    expect(await next).toMatchObject({ name: 'end', data: { reason: 'session_ended' } });
    expect(await stream.next()).toBeUndefined();
    for (const accept of ['text/event-stream', 'application/json', 'text/html'])
      expect((await ask(`${PAGE}/events`, { headers: { accept } })).status).toBe(404);
    expect((await ask(PAGE)).status).toBe(404);
    expect((await post(`${PAGE}/remind`)).status).toBe(404);
  });
});

describe('the actions of an organiser', () => {
  it('an extension and a cancellation go to the ledger with the token alone, and answer with the group as it is then (Q86)', async () => {
    const extended = await post(`${newLink()}/extend`, { expires_at: '2030-01-01T14:00:00+02:00' });
    expect(await extended.json()).toMatchObject({ rev: 2, expires_at: '2030-01-01T12:00:00.000Z' });
    expect(web.question('organiserExtend')).toMatchObject({
      token: expect.stringMatching(/^o+\d$/),
      expires_at: '2030-01-01T12:00:00.000Z',
    });
    const cancelled = await post(`${newLink()}/cancel`);
    expect(await cancelled.json()).toMatchObject({ state: 'cancelled', facts: { awaits_payers: false } });
    expect(web.question('organiserCancel')).toMatchObject({ token: expect.stringMatching(/^o+\d$/) });
  });

  it.each([
    {},
    { expires_at: 1 },
    { expires_at: 'soon' },
    { expires_at: '+012030-01-01T00:00:00Z' },
    [],
    null,
  ])('an extension to no instant is refused before the ledger is asked: %j', async (body) => {
    const answer = await post(`${newLink()}/extend`, body);
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
      const answer = await ask(`${newLink()}/${action}`, {
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
      ask(`${newLink()}/cancel`, { method: 'POST', body: '{}', headers });
    expect((await send({ 'content-type': 'application/json', origin: home })).status).toBe(200);
    expect((await send({ 'content-type': 'application/json' })).status).toBe(200);
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('a refusal of the ledger keeps its code and its shape, and a right that was not given is a 403 (Q86)', async () => {
    web.answer({ organiserCancel: () => Promise.reject(new AppError('insufficient_scope')) });
    const refused = await post(`${newLink()}/cancel`);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'insufficient_scope' }),
    ]);
    web.answer({ organiserExtend: () => Promise.reject(new AppError('group_expired')) });
    const late = await post(`${newLink()}/extend`, { expires_at: '2030-01-01T12:00:00Z' });
    expect(await late.json()).toMatchObject({ code: 'group_expired' });
    web.answer({ findOrganised: async () => organisedWith({ may: ['cancel'] }) });
    expect((await post(`${newLink()}/remind`)).status).toBe(403);
  });

  it('an organiser without a right, and one without anybody to mail, sees no button of it', async () => {
    web.answer({ findOrganised: async () => organisedWith({ may: [], latest_expires_at: null }) });
    const html = await (await ask(PAGE, { headers: { 'accept-language': 'en' } })).text();
    for (const text of ['More time', 'Call it off', 'by mail']) expect(html).not.toContain(text);
    expect(html).toContain('Pay what is left: €21.00');
    expect(html).toContain('Send the link');
  });

  it('the actions of one link are limited, from whatever network they come (Q86)', async () => {
    const link = newLink();
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await post(`${link}/cancel`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
