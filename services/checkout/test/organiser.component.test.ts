import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganiserBootstrap } from '@gp/checkout-web/bootstrap';
import { AppError, notFound } from '@gp/errors';
import { found, groupId, organised, organiserToken, slotId } from './support/checkout.ts';
import { eventStream } from './support/event-stream.ts';
import { openVisitors, PAGE } from './support/organiser.ts';
import { openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
const visitors = openVisitors(() => web);
beforeAll(async () => {
  web = await openCheckoutWeb({ mints: 200 });
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(() => web.reset());

const UNKNOWN = `/o/${'x'.repeat(22)}`;
const bootstrapIn = (html: string) =>
  JSON.parse(
    /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? '',
  ) as OrganiserBootstrap;
/** The link is replaced: the ledger knows the token no more. */
const replaceLink = () => web.answer({ findOrganised: () => Promise.reject(notFound('group payment')) });

describe('the page of an organiser', () => {
  it('the page shows payee, amount and every slot in words, and begins with rights, latest end and the payers’ path (Q86)', async () => {
    await web.name('Casa Lola');
    const answer = await visitors.ask(PAGE, { headers: { 'accept-language': 'en-GB' } });
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

  it('the organiser’s page of a group with a minimum has its sentences (Q90)', async () => {
    web.answer({
      findOrganised: async () => ({
        ...organised,
        group: { ...organised.group, state: 'expired', capture_minimum: { amount_minor: '1050' } },
        facts: { is_collecting: false, awaits_payers: false, is_settled: true },
      }),
    });
    const html = await (await visitors.ask(PAGE, { headers: { 'accept-language': 'en-GB' } })).text();
    const expiredText =
      'When time ran out, what could be charged did not reach the minimum (€10.50), so nobody is charged.';
    expect(html).toMatch(new RegExp(`<div id="app">[^]*${expiredText.replace(/[().]/g, '\\$&')}`));
    expect(bootstrapIn(html).sentences).toMatchObject({ expiredText });
  });

  it.each([
    ['and the others were not paid', 'expired', 'The minimum was reached', 'good'],
    ['but a card could not be charged', 'cancelled', 'Partly paid', 'sad'],
  ] as const)(
    'a group of which the minimum was reached when time ran out, %s, reads as what it is (Q90)',
    async (_how, state, title, mood) => {
      const [first, ...others] = organised.slots;
      if (!first) throw new Error('the group has no slots');
      web.answer({
        findOrganised: async () => ({
          group: { ...organised.group, state: 'partially_paid', capture_minimum: { amount_minor: '1050' } },
          slots: [{ ...first, state: 'captured' }, ...others.map((slot) => ({ ...slot, state }))],
          facts: { is_collecting: false, awaits_payers: false, is_settled: true },
        }),
      });
      const html = await (await visitors.ask(PAGE, { headers: { 'accept-language': 'en-GB' } })).text();
      expect(html).toMatch(new RegExp(`outcome-${mood}"[^]*${title}</h2>`));
      expect(html.includes('<p>The minimum (€10.50) was reached in time')).toBe(mood === 'good');
      // Of a share that nobody took it is true as well.
      expect(html).toMatch(/Share 2[^]*Not charged/);
    },
  );

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
    const answer = await visitors.ask(PAGE);
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
    const html = await (await visitors.ask(`${PAGE}?lang=ar`)).text();
    expect(html).toContain('<html lang="ar" dir="rtl" class="plain">');
    expect(html).toContain('أنت تنظم هذه الفاتورة');
    const own = /href="([^"]+)" id="own-sentences"/.exec(html)?.[1] ?? '';
    expect(own).toMatch(/^\/assets\/organiser-ar-/);
    expect((await web.ask(own)).status).toBe(200);
    const payers = await (await visitors.ask(`/c/${pageToken}?lang=ar`)).text();
    expect(payers).not.toContain('organiser');
  });

  it.each([UNKNOWN, '/o/x', `/o/${'A'.repeat(2_000)}`, '/o/..%2f..'])(
    'an unknown link gets the answer of every unknown address: %.40s',
    async (path) => {
      const [answer, other] = [await visitors.ask(path), await visitors.ask('/c')];
      expect([answer.status, other.status]).toEqual([404, 404]);
      const bare = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '');
      expect(bare(await answer.text())).toBe(bare(await other.text()));
      for (const action of ['remind', 'extend', 'cancel'])
        expect(
          (await visitors.post(`${path}/${action}`, { expires_at: '2030-01-01T12:00:00Z' })).status,
        ).toBe(404);
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
      await (await visitors.ask(`/c/${pageToken}`)).text(),
      await (await visitors.ask(`/c/${pageToken}/session`, { method: 'POST' })).text(),
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
    const html = await (await visitors.ask(`/c/${pageToken}?choose=free`)).text();
    const chosen = (text: string) => (text.match(/tile-chosen/g) ?? []).length;
    expect(chosen(html)).toBe(2);
    expect(chosen(await (await visitors.ask(`/c/${pageToken}?choose=all`)).text())).toBe(0);
    expect(web.steps()).not.toContain('reserve');
  });
});

describe('the live stream of an organiser', () => {
  it('the stream needs no token beside its path, and shows what changes (Q86)', async () => {
    const stream = eventStream(await visitors.ask(`${PAGE}/events`));
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
    const picture = await visitors.ask(`${PAGE}/events`, { headers: { accept: 'application/json' } });
    expect(await picture.json()).toMatchObject({ rev: 2 });
  });

  it('a note of the ledger that the link was replaced ends its open streams, and a note of the payers’ link does not (Q86)', async () => {
    const stream = eventStream(await visitors.ask(`${PAGE}/events`));
    await stream.next();
    const next = stream.next();
    let lookUps = 0;
    web.answer({
      findOrganised: () => {
        lookUps += 1;
        return Promise.reject(notFound('group payment'));
      },
    });
    web.announceReplaced('page');
    web.change({ ...found, group: { ...found.group, version: 2 } });
    expect(await next).toMatchObject({ name: 'change', data: { rev: 2 } });
    expect(lookUps).toBe(0);
    const last = stream.next();
    web.announceReplaced('organiser');
    expect(await last).toMatchObject({ name: 'end', data: { reason: 'session_ended' } });
    expect(await stream.next()).toBeUndefined();
  });

  it('a link that is replaced ends the page, the picture, the actions and the open streams, without a note too (Q86)', async () => {
    const stream = eventStream(await visitors.ask(`${PAGE}/events`));
    await stream.next();
    web.answer({ findOrganised: () => Promise.reject(new AppError('service_unavailable')) });
    await web.endReplaced();
    replaceLink();
    const next = stream.next();
    await web.endReplaced();
    expect(await next).toMatchObject({ name: 'end', data: { reason: 'session_ended' } });
    expect(await stream.next()).toBeUndefined();
    for (const accept of ['text/event-stream', 'application/json', 'text/html'])
      expect((await visitors.ask(`${PAGE}/events`, { headers: { accept } })).status).toBe(404);
    expect((await visitors.ask(PAGE)).status).toBe(404);
    expect((await visitors.post(`${PAGE}/remind`)).status).toBe(404);
  });
});
