import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bootstrap } from '@gp/checkout-web/bootstrap';
import { found, groupId, otherSlotId } from './support/checkout.ts';
import { openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

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

const page = async (query = ''): Promise<{ answer: Response; html: string; bootstrap: Bootstrap }> => {
  const answer = await web.ask(`/c/${pageToken}${query}`, { headers: { 'accept-language': 'en-GB' } });
  const html = await answer.text();
  const json = /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? '';
  return { answer, html, bootstrap: JSON.parse(json) as Bootstrap };
};
/** The group with these labels, in the order of its slots; undefined for a slot without one. */
const labelled = (...labels: (string | undefined)[]): typeof found => ({
  ...found,
  slots: found.slots.map((slot, at) => {
    const label = labels[at];
    return { ...slot, ...(label !== undefined && { label }) };
  }),
});
const taken: typeof found = {
  ...found,
  slots: found.slots.map((slot) => (slot.id === otherSlotId ? { ...slot, state: 'assigned' } : slot)),
};
/** The ids of the slots that are chosen in the markup. */
const listChosen = (html: string): string[] =>
  [...html.matchAll(/<input type="checkbox"[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => / checked/.test(input))
    .map((input) => / value="([^"]*)"/.exec(input)?.[1] ?? '');
const describedAs = (html: string): string =>
  /<meta property="og:description" content="([^"]*)">/.exec(html)?.[1] ?? '';

describe('labels of slots', () => {
  it.each([
    ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)'],
    ['the end of a script', '</script><script>alert(1)', '&lt;/script>&lt;script>alert(1)'],
    ['quotes and an ampersand', `Fish & "chips" 'n`, 'Fish &amp; &quot;chips'],
    ['Arabic', 'نرگس‌سادات', 'نرگس‌سادات'],
    ['60 emoji', '🍖'.repeat(60), '🍖'.repeat(60)],
    ['60 letters without a space', 'W'.repeat(60), 'W'.repeat(60)],
  ])(
    'a label is text beside its amount, inside of the name of its choice: %s (Q71)',
    async (_, label, written) => {
      web.change(labelled(label, undefined));
      const { answer, html, bootstrap } = await page('?slot=1');
      expect(answer.status).toBe(200);
      expect(html).not.toMatch(/<img|<script>alert/);
      const [first = '', second = ''] = [...html.matchAll(/<label[^>]*tile[^>]*>[^]*?<\/label>/g)].map(
        ([it]) => it,
      );
      expect(first).toContain(`<span><bdi>${written}`);
      expect(second).not.toContain('<bdi>');
      expect(bootstrap.group.slots.map((slot) => slot.label)).toEqual([label, undefined]);
      expect(bootstrap.group.slots[1]).not.toHaveProperty('label');
    },
  );

  it('the widget’s frame gets the labels, too (Q71)', async () => {
    const origin = 'https://shop.test';
    await web.register([origin]);
    web.change(labelled(undefined, 'Starter and wine'));
    const { token } = await web.mint();
    const answer = await web.ask('/embed/v1/admissions?slot=2', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ origin }),
    });
    const bootstrap = (await answer.json()) as Bootstrap;
    expect(bootstrap.group.slots.map(({ label }) => label)).toEqual([undefined, 'Starter and wine']);
    expect(bootstrap).not.toHaveProperty('slot');
  });
});

describe('a link for one slot', () => {
  it('the link opens the page with its slot chosen, reserves nothing, and its preview names the slot (Q72)', async () => {
    web.change(labelled(undefined, 'Ben "B" <b>'));
    const { answer, html, bootstrap } = await page('?slot=2');
    expect(answer.status).toBe(200);
    expect(bootstrap.slot).toBe(2);
    expect(listChosen(html)).toEqual([otherSlotId]);
    expect(describedAs(html)).toBe(
      'Share 2 (\u2068Ben &quot;B&quot; &lt;b&gt;\u2069) · €10.50 · 0 of 2 shares are in · until Tue 1 Jan, 00:00 UTC',
    );
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(web.steps()).toEqual([]);
  });

  it('the plain link chooses none of several slots, and its preview names the whole bill (Q72)', async () => {
    const { html, bootstrap } = await page();
    expect(bootstrap).not.toHaveProperty('slot');
    expect(listChosen(html)).toEqual([]);
    expect(describedAs(html)).toMatch(/^€21\.00 · /);
  });

  it('the link for a slot that another payer has opens the page with no slot chosen (Q72)', async () => {
    web.change({ ...taken, slots: [...taken.slots, { ...found.slots[0]!, id: groupId, sequence_no: 3 }] });
    const { answer, html, bootstrap } = await page('?slot=2');
    expect([answer.status, bootstrap.slot]).toEqual([200, 2]);
    expect(listChosen(html)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['a word', 'zarquon'],
    ['zero', '0'],
    ['a number that the group does not have', '3'],
    ['more than any group has', '31'],
    ['a negative number', '-1'],
    ['a fraction', '1.5'],
    ['an exponent', '1e0'],
    ['a leading zero', '02'],
    ['a space around it', '%202'],
    ['digits of another script', '%D9%A2'],
    ['two numbers', '1&slot=2'],
    ['the same number twice', '2&slot=2'],
    ['a list', '2,zarquon'],
    ['markup', '%3Cscript%3Ezarquon%3C/script%3E'],
    ['a line of a header', '2%0d%0aSet-Cookie:zarquon=1'],
    ['the id of a slot', otherSlotId],
    ['8,000 digits', '2'.repeat(8_000)],
  ])(
    'a link with %s in `slot` opens the same page as the plain link, and the page does not contain the value (Q72)',
    async (_, text) => {
      const { answer, html, bootstrap } = await page(`?slot=${text}`);
      expect(answer.status).toBe(200);
      expect(bootstrap).not.toHaveProperty('slot');
      expect(listChosen(html)).toEqual([]);
      expect(html).not.toMatch(/zarquon|slot=|2{100}/);
      expect([...answer.headers.entries()].join()).not.toContain('zarquon');
      expect(describedAs(html)).toMatch(/^€21\.00 · /);
    },
  );

  it.each(['2%00', '%zz'])(
    'a checkout link with %j in `slot` is refused like every address that is not valid text (Q72)',
    async (text) => {
      const answer = await web.ask(`/c/${pageToken}?slot=${text}zarquon`);
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain('zarquon');
    },
  );

  it('an unknown link with a slot in its address gets the same 404 page as without (Q72)', async () => {
    const plain = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '');
    const [known, named] = await Promise.all(
      ['', '?slot=1'].map(async (query) => (await web.ask(`/c/${'x'.repeat(22)}${query}`)).text()),
    );
    expect(plain(named ?? '')).toBe(plain(known ?? ''));
  });
});
