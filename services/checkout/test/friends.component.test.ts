import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LOCALES, type Bootstrap } from '@gp/checkout-web/bootstrap';
import { create } from 'qrcode';
import { found, groupId, otherSlotId } from './support/checkout.ts';
import { home, openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;

beforeAll(async () => {
  web = await openCheckoutWeb();
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(() => web.reset());

const link = `${home}/c/${pageToken}`;
const friends = async (query = '', headers: Record<string, string> = { 'accept-language': 'en-GB' }) => {
  const answer = await web.ask(`/c/${pageToken}/friends${query}`, { headers });
  return { answer, html: await answer.text() };
};
/** The addresses of the page's links, as a browser reads them. */
const listLinks = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const findLink = (html: string, begin: string): URL =>
  new URL(listLinks(html).find((href) => href.startsWith(begin)) ?? '');
/** Draws the page's QR code as the rows of its modules, dark ones as 1. */
function readCode(html: string): string[] {
  const [, x = '', , size = ''] = /viewBox="(-?\d+) (-?\d+) (\d+) \3"/.exec(html) ?? [];
  const side = Number(size) + 2 * Number(x);
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => '0'));
  for (const [, column, row, width] of html.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(width); at++) (rows[Number(row)] ?? [])[Number(column) + at] = '1';
  return rows.map((row) => row.join(''));
}
function codeOf(text: string): string[] {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  return Array.from({ length: size }, (_, row) =>
    Array.from(data.slice(row * size, (row + 1) * size)).join(''),
  );
}
const named = (group_name: string): typeof found => ({ ...found, group: { ...found.group, group_name } });

describe('the page on which payers invite others', () => {
  it('it has the bill, how far it is, until when, the link, and ways to send it, without a script (Q100)', async () => {
    await web.name('Casa Lola');
    const { answer, html } = await friends();
    expect(answer.status).toBe(200);
    expect(html).toContain('<title>Invite friends · Dinner · Casa Lola</title>');
    expect(html).toMatch(/<h1>Invite friends<\/h1>[^]*Dinner[^]*Payment to Casa Lola/);
    expect(html).toMatch(
      /0 of 2 shares are in · until <time [^>]*>Tuesday,? 1 January (?:at|,)? ?00:00 UTC<\/time>/,
    );
    expect(listLinks(html)).toContain(link);
    const chat = findLink(html, 'https://wa.me/');
    expect(chat.searchParams.get('text')).toBe(`Pay your share of Dinner here: ${link}`);
    const mail = findLink(html, 'mailto:');
    expect([mail.pathname, mail.searchParams.get('subject')]).toEqual(['', 'Dinner']);
    expect(mail.searchParams.get('body')).toBe(`Pay your share of Dinner here: ${link}`);
    expect(html).toMatch(/target="_blank" rel="noopener noreferrer"/);
    // What needs a script is not shown before one runs.
    expect(html.match(/<button [^>]*hidden/g)).toHaveLength(2);
    expect(listLinks(html)).toContain(`/c/${pageToken}`);
    expect(web.steps()).toEqual([]);
  });

  it('the page about a bill of one share says until when it is open, and not how many shares are in', async () => {
    web.change({ ...found, slots: found.slots.slice(0, 1) });
    const { html } = await friends();
    expect(html).toMatch(/<p>until <time /);
    expect(html).not.toMatch(/of 1 shares?/);
  });

  it('its code is the QR code of the link (Q100)', async () => {
    const { html } = await friends();
    expect(readCode(html)).toEqual(codeOf(link));
    const { html: ofOne } = await friends('?slot=2');
    expect(readCode(ofOne)).toEqual(codeOf(`${link}?slot=2`));
    expect(codeOf(link)).not.toEqual(codeOf(`${link}?slot=2`));
  });

  it('with a slot that is available it has that slot’s link, and otherwise that of the whole bill (Q100)', async () => {
    const { html } = await friends('?slot=2');
    expect(listLinks(html)).toContain(`${link}?slot=2`);
    expect(findLink(html, 'https://wa.me/').searchParams.get('text')).toContain(`${link}?slot=2`);
    expect(html).toMatch(/Share 2 · €10\.50/);
    expect(listLinks(html)).toEqual(
      expect.arrayContaining([`/c/${pageToken}/friends`, `/c/${pageToken}/friends?slot=1`]),
    );
    const taken = found.slots.map((slot) =>
      slot.id === otherSlotId ? { ...slot, state: 'assigned' } : slot,
    );
    web.change({ ...found, slots: taken } as typeof found);
    for (const query of ['?slot=2', '?slot=3', '?slot=zarquon', '?slot=1&slot=1']) {
      const { answer, html } = await friends(query);
      expect(answer.status).toBe(200);
      expect(listLinks(html)).toContain(link);
      expect(html).not.toMatch(/zarquon|Share 2|slot=[23]/);
    }
  });

  it('names are text, and in messages they are encoded; one that reads as a link is in no message (Q100)', async () => {
    web.change(named('Ann & "Bob" <b>#?'));
    const { html } = await friends();
    expect(html).toContain('<bdi>Ann &amp; &quot;Bob&quot; &lt;b>#?</bdi>');
    expect(html).not.toContain('<b>');
    expect(findLink(html, 'https://wa.me/').searchParams.get('text')).toContain('of Ann & "Bob" <b>#? here');
    expect(findLink(html, 'mailto:').searchParams.get('subject')).toBe('Ann & "Bob" <b>#?');
    web.change(named('www.evil.example'));
    const evil = (await friends()).html;
    expect(findLink(evil, 'https://wa.me/').searchParams.get('text')).toBe(
      `Pay your share of 1234ABCD here: ${link}`,
    );
    expect(findLink(evil, 'mailto:').href).not.toContain('evil');
  });

  it('it shows nothing of a payer, no token but the link’s, and no organiser’s link (A11, Q100)', async () => {
    const slots = found.slots.map((slot, at) => ({
      ...slot,
      metadata: { who: 'zarquon@example.com' },
      ...(at === 0 && { state: 'preauthorised', assigned_customer_id: groupId, shown_name: 'Zarquon' }),
    }));
    web.change({ ...found, slots, group: { ...found.group, metadata: { note: 'Zarquon' } } } as typeof found);
    const { html } = await friends();
    expect(html).toContain('1 of 2 shares is in');
    expect(html).not.toMatch(/zarquon|application\/json|eyJ|\/o\//i);
  });

  it('a bill that takes no more payments has no link to share (Q100)', async () => {
    const facts = { is_collecting: false, awaits_payers: false, is_settled: true };
    web.change({ ...found, facts, group: { ...found.group, state: 'expired' } });
    const { answer, html } = await friends();
    expect(answer.status).toBe(200);
    expect(html).toContain('<h1>Time ran out</h1>');
    expect(html).not.toMatch(/<svg|wa\.me|mailto:/);
    expect(listLinks(html)).toContain(`/c/${pageToken}`);
  });

  it('it may not be cached, indexed, framed or named as referrer, and runs only our own script (Q100)', async () => {
    const { answer, html } = await friends('?lang=de');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'none'; frame-ancestors 'none'/,
    );
    const [, nonce = 'none'] =
      /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
    const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(scripts).toEqual([
      ` nonce="${nonce}"`,
      expect.stringMatching(`^ type="module" src="/assets/friends-[^"]+" nonce="${nonce}"$`),
    ]);
    expect(answer.headers.getSetCookie()).toEqual([
      `lang=de; Path=/c/${pageToken}/friends; HttpOnly; SameSite=Lax`,
    ]);
  });

  it.each([...LOCALES])(
    'it is written in the visitor’s language, in its direction: %s (Q100)',
    async (locale) => {
      const { html } = await friends('', { 'accept-language': locale });
      expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(html).not.toMatch(/\{\w+\}|undefined/);
      expect(/<h1>Invite friends<\/h1>/.test(html)).toBe(locale.startsWith('en'));
      expect(findLink(html, 'https://wa.me/').searchParams.get('text')).toMatch(
        /Dinner[^]*http:\/\/pay\.test/,
      );
    },
  );

  it('a link nobody has gets the same 404 page as everywhere, and one of another form, too (Q100)', async () => {
    const ask = async (path: string) => {
      const answer = await web.ask(path, { headers: { 'accept-language': 'en-GB' } });
      return [answer.status, (await answer.text()).replaceAll(/nonce="[^"]*"/g, '')];
    };
    const usual = await ask(`/c/${'x'.repeat(22)}`);
    expect(usual[0]).toBe(404);
    for (const token of ['x'.repeat(22), 'short', '%3Cscript%3E'.repeat(4)])
      expect(await ask(`/c/${token}/friends`)).toEqual(usual);
  });
});

describe('the link to it', () => {
  const openFrame = async (token: string): Promise<Bootstrap> => {
    const origin = 'https://shop.test';
    await web.register([origin]);
    const answer = await web.ask('/embed/v1/admissions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ origin }),
    });
    return (await answer.json()) as Bootstrap;
  };

  it('an open bill’s page leads there, and an ended one’s does not (Q101)', async () => {
    await web.activate('gateway_a');
    const show = async () => (await web.ask(`/c/${pageToken}`)).text();
    expect(listLinks(await show())).toContain(`/c/${pageToken}/friends`);
    const facts = { is_collecting: false, awaits_payers: false, is_settled: true };
    web.change({ ...found, facts, group: { ...found.group, state: 'paid' } });
    expect(await show()).not.toContain('/friends');
  });

  it('the widget’s frame gets its address, and with a token of an earlier link it does not (Q101, X13)', async () => {
    const { token } = await web.mint();
    expect((await openFrame(token)).friends_path).toBe(`/c/${pageToken}/friends?lang=en`);
    web.change({ ...found, group: { ...found.group, link_number: 1, page_token: 'n'.repeat(22) } });
    const later = await openFrame(token);
    expect(later.kind).toBe('embed');
    expect(later).not.toHaveProperty('friends_path');
    expect(JSON.stringify(later)).not.toContain('nnnn');
  });
});
