import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bootstrap } from '@gp/checkout-web/bootstrap';
import { AppError } from '@gp/errors';
import { decodeJwt } from 'jose';
import { found, groupId, intent, intentId } from './support/checkout.ts';
import { api, home, openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;

beforeAll(async () => {
  web = await openCheckoutWeb();
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(async () => {
  web.reset();
  await web.activate('gateway_a');
});

const page = (query = '', headers: Record<string, string> = {}) =>
  web.ask(`/c/${pageToken}${query}`, { headers });
const bootstrapIn = (html: string) =>
  JSON.parse(/<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? '') as Bootstrap;
const parsePolicy = (answer: Response) =>
  Object.fromEntries(
    (answer.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
const named = (group_name: string) => ({ ...found, group: { ...found.group, group_name } });

describe('the page of a group', () => {
  it('the page of a group reads without JavaScript: name and slots are in the markup', async () => {
    const answer = await page();
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toMatch(/<div id="app">[^]*Dinner/);
    expect(html).toContain('<title>Dinner');
  });

  it('the page of a group names the payee in title, text and preview, as this mode knows it, and escapes the name', async () => {
    const lola = 'Fish & Co "Lola" <b>';
    const escaped = 'Fish &amp; Co &quot;Lola&quot; &lt;b&gt;';
    const before = await (await page()).text();
    expect(bootstrapIn(before).payee).toBeNull();
    expect(before).toContain('<title>Dinner</title>');
    await web.name('Other mode', { mode: 'live' });
    await web.name('Other merchant', { merchant_id: 'm2' });
    await web.name(lola);
    const html = await (await page('', { 'accept-language': 'en-GB' })).text();
    expect(bootstrapIn(html).payee).toBe(lola);
    expect(html).toContain(`<title>Dinner · ${escaped}</title>`);
    expect(html).toContain(`<meta property="og:title" content="Dinner · ${escaped}">`);
    const described = `Payment to ${escaped} · €21.00 · 0 of 2 shares are in · until Tue 1 Jan, 00:00 UTC`;
    expect(html).toContain(`<meta name="description" content="${described}">`);
    expect(html).toContain(`<meta property="og:description" content="${described}">`);
    expect(html).toMatch(/<div id="app">[^]*Payment to Fish &amp; Co &quot;Lola&quot; &lt;b/);
    expect(html).not.toContain('Lola" <b>');
    expect(html).not.toContain('Other m');
    web.change({ ...found, facts: { is_collecting: false, awaits_payers: false, is_settled: true } });
    expect(await (await page()).text()).toContain(`content="Payment to ${escaped} · €21.00">`);
  });

  it('the page of a group that is captured at its expiry says so in place of the usual promise, and sends the sentences along (Q90)', async () => {
    const usual = await (await page()).text();
    expect(usual).toContain('Nobody is charged until everyone has paid.');
    expect(bootstrapIn(usual).sentences).toBeUndefined();
    web.change({ ...found, group: { ...found.group, capture_minimum: { amount_minor: '1050' } } });
    const html = await (await page('', { 'accept-language': 'de-AT' })).text();
    const promise =
      'Abgebucht wird, wenn alle bezahlt haben oder wenn die Zeit um ist und das Minimum erreicht ist: €\u00a010,50.';
    expect(bootstrapIn(html).sentences).toMatchObject({ promise });
    expect(html).toMatch(new RegExp(`<div id="app">[^]*${promise}`));
    expect(html).not.toContain('bevor alle bezahlt haben');
  });

  it('the page of a group that takes tips begins with the most of one and the sentences of its language, and no other page does (Q91)', async () => {
    expect(bootstrapIn(await (await page()).text()).tips).toBeUndefined();
    web.change({ ...found, group: { ...found.group, max_tip_minor: '500' } });
    const html = await (await page('', { 'accept-language': 'de-AT' })).text();
    expect(bootstrapIn(html).tips).toMatchObject({ max_minor: '500', texts: { none: 'Kein Trinkgeld' } });
    // The page offers it once its script runs.
    expect(html).not.toContain('class="tips"');
  });

  it('the page of a group begins with all it needs, and with nothing of another payer (A11)', async () => {
    const assigned = {
      state: 'assigned',
      assigned_customer_id: groupId,
      reserved_until: '2030-01-01T00:00:00.000Z',
    };
    const group = {
      ...found,
      group: { ...found.group, metadata: { note: 'for Zarquon' } },
      slots: found.slots.map((slot) => ({ ...slot, ...assigned, metadata: { who: 'zarquon@example.com' } })),
    } as typeof found;
    web.change(group);
    const html = await (await page()).text();
    const bootstrap = bootstrapIn(html);
    expect(bootstrap).toMatchObject({
      kind: 'page',
      mode: 'test',
      locale: 'en',
      gateway: { psp_code: 'gateway_a', script: 'http://a.test/js' },
      api_url: api,
      checkout_url: home,
      session_path: `/c/${pageToken}/session`,
      returned: null,
      session: { can_pay: true },
    });
    expect(bootstrap.group).toMatchObject({
      id: groupId,
      name: 'Dinner',
      total_minor: '2100',
      fraction_digits: 2,
      rev: 1,
    });
    expect(Object.keys(bootstrap.group.slots[0] ?? {}).toSorted()).toEqual([
      'amount_minor',
      'held_until',
      'id',
      'sequence_no',
      'state',
    ]);
    expect(html).not.toMatch(/zarquon/i);
    expect(html).not.toContain('assigned_customer');
  });

  it('the page of a group contains a short-lived token of its own group', async () => {
    const { session } = bootstrapIn(await (await page()).text());
    expect(decodeJwt(session.token)).toMatchObject({ gp: groupId, mode: 'test', limited: false });
    const seconds = (Date.parse(session.expires_at) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(600);
    expect(seconds).toBeLessThanOrEqual(901);
  });

  it('the page of a group may not be cached, indexed, framed or named as referrer by others', async () => {
    const { headers } = await page();
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('x-powered-by')).toBeNull();
    expect((await (await web.ask('/robots.txt')).text()).trim()).toMatch(/Disallow: \/$/);
  });

  it.each([
    [
      'gateway_a',
      {
        script: ['http://a.test', 'http://a-api.test'],
        form: ["'none'"],
        frame: ['http://a.test', 'http://a-api.test'],
      },
    ],
    ['gateway_b', { script: [], form: ["'none'"], frame: ['http://b.test'] }],
    ['gateway_c', { script: [], form: ['http://bank.test'], frame: ["'none'"] }],
  ] as const)('the policy of a page allows %s and no other gateway', async (psp, lets) => {
    await web.activate(psp);
    const answer = await page();
    const policy = parsePolicy(answer);
    const nonce = /<script type="module"[^>]* nonce="([\w-]{20,})"/.exec(await answer.text())?.[1];
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['script-src']).toEqual([`'nonce-${nonce}'`, `${home}/assets/`, ...lets.script]);
    expect(policy['form-action']).toEqual(lets.form);
    expect(policy['frame-src']).toEqual(lets.frame);
    expect(policy['connect-src']).toEqual([home, api, ...lets.script]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe/);
  });

  it('the nonce of a page is different each time', async () => {
    const policies = await Promise.all(
      [page(), page(), page()].map(async (asked) => parsePolicy(await asked)['script-src']?.[0]),
    );
    expect(new Set(policies).size).toBe(3);
  });

  it('the policy also allows the gateway of a payment on the page, and only a gateway', async () => {
    const answer = await page('?gateway=gateway_c');
    expect(parsePolicy(answer)['form-action']).toEqual(['http://bank.test']);
    expect(bootstrapIn(await answer.text()).gateway).toEqual({
      psp_code: 'gateway_c',
      bank: 'http://bank.test',
    });
    expect(parsePolicy(await page('?gateway=http://evil.test'))['form-action']).toEqual(["'none'"]);
  });

  it('the page of a live group uses the live addresses (S9)', async () => {
    await web.activate('gateway_b', { mode: 'live' });
    web.change({ ...found, group: { ...found.group, mode: 'live' } });
    const answer = await page();
    expect(parsePolicy(answer)['script-src']).toContain('https://b.live');
    const bootstrap = bootstrapIn(await answer.text());
    expect(bootstrap).toMatchObject({ mode: 'live', gateway: { script: 'https://b.live/v2', frame: null } });
    expect(decodeJwt(bootstrap.session.token)).toMatchObject({ mode: 'live' });
  });

  it('the page of a merchant without a gateway says so', async () => {
    web.change({ ...found, group: { ...found.group, merchant_id: 'm9' } });
    web.answer({ findByPageToken: async () => ({ ...found, group: { ...found.group, merchant_id: 'm9' } }) });
    const html = await (await page()).text();
    expect(bootstrapIn(html).gateway).toBeNull();
    expect(html).toMatch(/Share 1[^]*€10\.50/);
    expect(html).not.toContain('Available');
  });

  it('the page of one share, and its preview, do not count the shares that are in', async () => {
    web.change({ ...found, slots: found.slots.slice(0, 1) });
    const html = await (await page('', { 'accept-language': 'en-GB' })).text();
    expect(html).toMatch(/<meta name="description" content="[^"]*€21\.00 · until Tue 1 Jan, 00:00 UTC">/);
    expect(html).toMatch(/class="sums"/);
    expect(html).not.toMatch(/of 1 shares?/);
  });

  it('the page of a closed group is shown, with a token that only reads', async () => {
    web.change({
      ...found,
      facts: { is_collecting: false, awaits_payers: false, is_settled: true },
      group: { ...found.group, state: 'expired', expires_at: '2020-01-01T00:00:00.000Z' },
    });
    const bootstrap = bootstrapIn(await (await page()).text());
    expect(bootstrap).toMatchObject({ group: { state: 'expired' }, session: { can_pay: false } });
    expect(decodeJwt(bootstrap.session.token)).toMatchObject({ scope: ['read'] });
  });

  it.each([
    ['', 'es-ES,es;q=0.9', 'es', 'ltr', 'es-ES'],
    ['?lang=ca', 'es', 'ca', 'ltr', 'ca'],
    ['?lang=xx', 'zz', 'en', 'ltr', 'en'],
    ['', 'en-AU', 'en-GB', 'ltr', 'en-AU'],
    ['?lang=ar', 'en', 'ar', 'rtl', 'ar-u-nu-latn'],
  ])(
    'the page of a group is in the requested language, with its direction, formats and file of sentences (%s, %s)',
    async (query, language, locale, dir, written) => {
      const html = await (await page(query, { 'accept-language': language })).text();
      expect(html).toContain(`<html lang="${locale}" dir="${dir}" class="plain">`);
      expect(bootstrapIn(html)).toMatchObject({ locale, written_as: written });
      const [, file = ''] = /href="([^"]*)" id="sentences"/.exec(html) ?? [];
      expect(file).toMatch(new RegExp(`^/assets/${locale.slice(0, 2)}-[\\w-]+\\.js$`));
      const sentences = await web.ask(file);
      expect(sentences.status).toBe(200);
      expect(await sentences.text()).toMatch(/export ?\{ ?\w+ as default ?\}|export default/);
    },
  );

  it('a link keeps the language that its address asked for: a payer who comes back from the bank reads it again', async () => {
    const [cookie = ''] = (await page('?lang=ca')).headers.getSetCookie();
    expect(cookie).toBe(`lang=ca; Path=/c/${pageToken}; HttpOnly; SameSite=Lax`);
    const read = async (query: string, kept: string) =>
      bootstrapIn(await (await page(query, { 'accept-language': 'fr-CH', cookie: kept })).text());
    expect(await read('', 'lang=ca')).toMatchObject({ locale: 'ca', written_as: 'ca' });
    expect(await read('?lang=de', 'lang=ca')).toMatchObject({ locale: 'de' });
    for (const kept of ['lang=', 'lang=xx', 'lang="; Path=/', `lang=${'a'.repeat(3_000)}`, 'slang=ca'])
      expect(await read('', kept)).toMatchObject({ locale: 'fr', written_as: 'fr-CH' });
    for (const query of ['', '?lang=', '?lang=a;b', '?lang=ca%0d%0aSet-Cookie:x', `?lang=${'a'.repeat(60)}`])
      expect((await page(query)).headers.getSetCookie()).toEqual([]);
  });

  it("the page of a group has its merchant's colour, corrected until it can be read, and no other style (Q52)", async () => {
    const styleIn = async () =>
      /<style nonce="[\w-]{20,}">(.*?)<\/style>/.exec(await (await page()).text())?.[1];
    expect(await styleIn()).toBeUndefined();
    await web.register([], {}, { business_name: 'Casa Lola', brand_color: '#ffe000' });
    await web.register([], { mode: 'live' }, { business_name: 'Casa Lola', brand_color: '#ff0000' });
    expect(await styleIn()).toMatch(
      /^:root\{--accent-light:#[67]\w{5};--on-accent-light:#ffffff;--accent-dark:#ffe000;--on-accent-dark:#000000\}$/,
    );
    const policy = parsePolicy(await page());
    expect(policy['style-src']).not.toContain('unsafe-inline');
    await web.register([], {}, { business_name: 'Casa Lola', brand_color: '</style><script>' });
    expect(await styleIn()).toBeUndefined();
  });

  it('the page of a group knows whom its payers may ask, in the merchant’s mode, and no page that is not of https (Q110)', async () => {
    const supportIn = async () => bootstrapIn(await (await page()).text()).support;
    expect(await supportIn()).toBeUndefined();
    const [support_email, support_url] = ['hello@casalola.example', 'https://casalola.example/help'];
    await web.register(
      [],
      { mode: 'live' },
      { business_name: 'Casa Lola', support_email: 'live@casalola.example' },
    );
    await web.register([], {}, { business_name: 'Casa Lola', support_email, support_url });
    expect(await supportIn()).toEqual({ email: support_email, url: support_url });
    await web.register([], {}, { business_name: 'Casa Lola', support_url: 'javascript:alert(1)' });
    expect(await supportIn()).toBeUndefined();
  });

  it('a name that is markup is text wherever it stands', async () => {
    web.change(named('</script><b a="'));
    const html = await (await page()).text();
    expect(html).not.toContain('</script><b');
    expect(html).toContain('<title>&lt;/script&gt;&lt;b a=&quot;');
    expect(bootstrapIn(html).group.name).toBe('</script><b a="');
  });

  it('a HEAD or a link preview asks the ledger for nothing but the group', async () => {
    const answer = await web.ask(`/c/${pageToken}`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    await page('', { 'user-agent': 'facebookexternalhit/1.1', accept: '*/*' });
    expect(web.steps()).toEqual([]);
  });
});

describe('an address that is no page', () => {
  it.each([
    ['an unknown token', `/c/${'x'.repeat(22)}`],
    ['a short one', '/c/abc'],
    ['signs that are in no token', `/c/${'x'.repeat(20)}%3Cb%3E`],
    ['a group id', `/c/${groupId}`],
    ['none', '/c/'],
    ['the bare address', '/'],
  ])('the address %s gets the same friendly 404', async (_, path) => {
    const answer = await web.ask(path);
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const known = await (await web.ask(`/c/${'y'.repeat(22)}`)).text();
    const plain = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '');
    expect(plain(html)).toBe(plain(known));
    expect(html).not.toContain('application/json');
  });

  it('the page says without the ledger that it is unavailable, and when to come again', async () => {
    web.answer({
      findByPageToken: () => Promise.reject(new AppError('service_unavailable', { retryAfterSeconds: 7 })),
    });
    const answer = await page();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).not.toContain('service_unavailable');
  });

  it('an internal error shows no stack trace', async () => {
    web.answer({ findByPageToken: () => Promise.reject(new Error('at secret.ts:1')) });
    const answer = await page();
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toMatch(/secret\.ts/);
  });
});

describe('the session beside the page', () => {
  const renew = (token: string, init: RequestInit = {}) =>
    web.ask(`/c/${token}/session`, { method: 'POST', ...init });

  it('the session of a page is a fresh token of the same group, which is stored nowhere', async () => {
    const first = bootstrapIn(await (await page()).text()).session;
    const answer = await renew(pageToken);
    const next = (await answer.json()) as typeof first;
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(decodeJwt(next.token)).toMatchObject({ gp: groupId, mode: 'test' });
    expect(next.token).not.toBe(first.token);
    expect(next.can_pay).toBe(true);
  });

  it('a session for a token of no page is a 404 in the documented shape, and other origins may not read it', async () => {
    for (const token of ['x'.repeat(22), 'short']) {
      const answer = await renew(token, { headers: { origin: 'https://shop.test' } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        request_id: expect.stringMatching(/^req_/),
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('a payer who comes back from the bank', () => {
  it.each([
    ['no', null],
    ['the card has insufficient funds', 'insufficient_funds'],
  ])(
    'a payer who returns from the bank sees the status that the server knows, whatever the address says (%s)',
    async (message, reason) => {
      web.answer({
        findIntent: async () => ({
          ...intent,
          state: 'failed',
          failure: { code: 'card_declined', message, retryable: true },
        }),
      });
      const { returned } = bootstrapIn(
        await (await page(`?payment=${intentId}&result=ok&Ds_Response=0000`)).text(),
      );
      expect(returned).toEqual({
        payment_intent_id: intentId,
        status: 'failed',
        failure_code: 'card_declined',
        decline_reason: reason,
        slot_ids: intent.slot_ids,
      });
    },
  );

  it.each([
    ['of another group', `?payment=${intentId}`, { ...intent, group_id: intentId }],
    ['that is none', '?payment=%27;drop%20table', intent],
  ])('a payment %s makes the page the same as without a return', async (_, query, answer) => {
    web.answer({ findIntent: async () => answer });
    const reply = await page(query);
    expect(reply.status).toBe(200);
    expect(bootstrapIn(await reply.text()).returned).toBeNull();
  });
});

describe('the widget’s frame', () => {
  const token = async () => (await web.mint()).token;
  const post = async (path: string, body: unknown, bearer?: string) =>
    web.ask(`/embed/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer ?? (await token())}` },
      body: JSON.stringify(body),
    });
  const frame = (origin: string) => web.ask(`/embed/v1?origin=${encodeURIComponent(origin)}`);
  const shop = 'https://shop.test';

  beforeEach(() => web.register([shop]));

  it('the widget’s frame may be held by the registered origin it names and by no other', async () => {
    const answer = await frame(shop);
    expect(answer.status).toBe(200);
    expect(parsePolicy(answer)['frame-ancestors']).toEqual([shop]);
    expect(answer.headers.get('x-frame-options')).toBeNull();
    expect(parsePolicy(answer)['script-src']).toContain('http://a.test');
    expect(parsePolicy(answer)['script-src']).not.toContain('http://b.test');
  });

  it.each([`${shop}/path`, 'null', '', 'https://x.test; script-src *', '*'])(
    'a frame named %j may be held by nobody',
    async (origin) => {
      const answer = await frame(origin);
      expect(answer.status).toBe(200);
      expect(parsePolicy(answer)['frame-ancestors']).toEqual(["'none'"]);
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
    },
  );

  it.each([
    ['en-GB', 'You cannot pay on this page yet', 'ltr'],
    ['de', 'Auf dieser Seite können Sie noch nicht zahlen', 'ltr'],
    ['ar', 'لا يمكن الدفع في هذه الصفحة بعد', 'rtl'],
  ])(
    'a page at an unregistered origin holds a note without script, data and links in place of the form: %s (Q113)',
    async (language, title, direction) => {
      const answer = await web.ask('/embed/v1?origin=https%3A%2F%2Fevil.test', {
        headers: { 'accept-language': language },
      });
      expect(answer.status).toBe(403);
      const policy = parsePolicy(answer);
      expect(policy['frame-ancestors']).toEqual(['https://evil.test']);
      expect([policy['frame-src'], policy['form-action']]).toEqual([["'none'"], ["'none'"]]);
      const html = await answer.text();
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain(`dir="${direction}"`);
      expect(html).not.toMatch(/<script|<a |<form|<button|<main/);
    },
  );

  it('the widget’s frame contains no group before a token has come', async () => {
    const html = await (await frame(shop)).text();
    expect(html).toContain('<title>Payment</title>');
    expect(html).not.toContain('og:');
    expect(html).not.toContain('application/json');
    expect(html).not.toContain(groupId);
  });

  it('the widget’s frame admits a token where its own merchant registered the origin, and begins with the group', async () => {
    const bearer = await token();
    await web.register([shop], {}, { business_name: 'Casa Lola', brand_color: '#0b5d3b' });
    const answer = await post('admissions', { origin: shop }, bearer);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      kind: 'embed',
      payee: 'Casa Lola',
      brand_color: '#0b5d3b',
      group: { id: groupId },
      session: { token: bearer, can_pay: true },
      session_path: null,
      gateway: { psp_code: 'gateway_a' },
    });
  });

  it('the widget’s frame refuses the origin of another merchant or mode, and gives no more detail (A10)', async () => {
    await web.register(['https://other.test'], { merchant_id: 'm2' });
    await web.register(['https://live.test'], { mode: 'live' });
    for (const origin of ['https://other.test', 'https://live.test', 'https://nobody.test']) {
      const answer = await post('admissions', { origin });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('the widget’s frame refuses invalid tokens with 401, and invalid bodies with 400', async () => {
    for (const bearer of ['x', 'a.b.c', `${await token()}x`, 'sk_test_abc'])
      expect((await post('admissions', { origin: shop }, bearer)).status).toBe(401);
    for (const body of [null, 5, [], {}, { origin: 5 }, { origin: 'shop' }, { origin: { toString: 1 } }])
      expect((await post('admissions', body)).status).toBe(400);
  });

  it('the widget’s frame returns a payer to the shop’s page that the payer left for the bank', async () => {
    const address = `${shop}/orders/42?x=1`;
    const kept = await post('returns', { payment_intent_id: intentId, return_url: address });
    expect(kept.status).toBe(204);
    const back = await page(`?payment=${intentId}`);
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(address);
    await web.rows('delete from payer_returns');
  });

  it('a payer is not returned to a page of another merchant, nor from another group’s payment', async () => {
    for (const return_url of [
      'https://evil.test/',
      'javascript:alert(1)',
      `${shop}.evil.test`,
      'x',
      '//evil.test',
    ]) {
      const answer = await post('returns', { payment_intent_id: intentId, return_url });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ param: 'return_url' });
    }
    expect((await post('returns', { payment_intent_id: groupId, return_url: shop })).status).toBe(404);
    expect((await page(`?payment=${intentId}`)).status).toBe(200);
  });
});

describe('the files of the page', () => {
  const script = async () =>
    /<script type="module" src="([^"]+)"/.exec(await (await page()).text())?.[1] ?? '';

  it.each(['br', 'gzip'])(
    'a file of the page comes compressed with %s, to be kept for ever',
    async (encoding) => {
      const answer = await web.ask(await script(), { headers: { 'accept-encoding': encoding } });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-encoding': encoding,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'Accept-Encoding',
      });
      expect((await answer.text()).length).toBeGreaterThan(100);
    },
  );

  it('a file of the page comes uncompressed on request, and not at all when the browser has it', async () => {
    const path = await script();
    const plain = await web.ask(path, { headers: { 'accept-encoding': 'identity, br;q=0' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const again = await web.ask(path, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/assets/none.js',
    '/assets/..%2f..%2fpackage.json',
    '/assets/.vite/manifest.json',
    '/assets/__proto__',
  ])('the path %s is no file of the page', async (path) => {
    expect((await web.ask(path)).status).toBe(404);
  });
});
