import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FoundGroup } from '@gp/contracts';
import { notFound } from '@gp/errors';
import {
  found,
  groupId,
  intentId,
  organised,
  organiserToken,
  otherSlotId,
  payment,
  slotId,
  start,
} from './support/checkout.ts';
import { eventStream } from './support/event-stream.ts';
import { findLink, openMailing, type Mailing } from './support/mails.ts';
import { pageToken } from './support/web.ts';

let web: Mailing;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  web = await openMailing();
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(async () => {
  await web.clear();
  await web.switch(true);
});
afterEach(() => Promise.all(open.splice(0).map((stream) => stream.close().catch(() => undefined))));

const ANA = 'Ana <b>María</b>';
/** The group at a version, whose first slot is held by a payer who shows this name. */
const named = (version: number, shown_name?: string, group: FoundGroup = found): Required<FoundGroup> => ({
  ...found,
  group: { ...group.group, version, state: 'partially_preauthorised' },
  slots: found.slots.map((slot, at) =>
    at === 0
      ? { ...slot, state: 'preauthorised' as const, ...(shown_name !== undefined && { shown_name }) }
      : slot,
  ),
});
const EVENTS = `/v1/group-payments/${groupId}/events`;
const bearer = async () => ({ authorization: `Bearer ${(await web.mint()).token}` });
const slots = (data: unknown) => (data as { slots: object[] }).slots;

describe('a name that its payer shows', () => {
  it('the live stream has it from the change on that brings it to the one that takes it away, and its slot has no field for anybody else (Q98, Q99)', async () => {
    web.change(named(3));
    const stream = eventStream(await web.ask(EVENTS, { headers: await bearer() }));
    open.push(stream);
    const held = { id: slotId, state: 'preauthorised', held_until: null };
    const free = { id: otherSlotId, state: 'unassigned', held_until: null };
    expect(slots((await stream.next())?.data)).toEqual([held, free]);
    web.change(named(4, ANA));
    expect(slots((await stream.next())?.data)).toEqual([{ ...held, shown_name: ANA }]);
    web.change(named(5));
    expect(slots((await stream.next())?.data)).toEqual([held]);
  });

  it('the picture for clients without streams has it, and another tag than the one before (Q98)', async () => {
    web.change(named(3));
    const headers = { ...(await bearer()), accept: 'application/json' };
    const before = await web.ask(EVENTS, { headers });
    await before.body?.cancel();
    web.change(named(4, ANA));
    const tag = { 'if-none-match': before.headers.get('etag') ?? '' };
    const now = await web.ask(EVENTS, { headers: { ...headers, ...tag } });
    expect(now.status).toBe(200);
    expect(now.headers.get('cache-control')).toBe('no-store');
    expect(slots(await now.json())[0]).toMatchObject({ shown_name: ANA });
  });

  it('the page writes it as text that keeps its direction, may not be stored, and has it in no preview and no title (Q97, Q98)', async () => {
    web.change(named(3, ANA));
    for (const lang of ['en', 'ar']) {
      const answer = await web.ask(`/c/${pageToken}?lang=${lang}`);
      expect(answer.headers.get('cache-control')).toContain('no-store');
      const html = await answer.text();
      expect(html).toContain('<bdi>Ana &lt;b>María&lt;/b></bdi>');
      const [head = ''] = html.split('<body');
      expect(head).not.toContain('Ana');
    }
  });

  it('the organiser’s page has it at the share (Q98)', async () => {
    web.answer({ findOrganised: async () => named(3, ANA, organised) });
    const html = await (await web.ask(`/o/${organiserToken}`)).text();
    expect(html).toContain('<bdi>Ana &lt;b>María&lt;/b></bdi>');
  });

  it('the widget’s frame gets it, and the box is drawn unticked and without use while no name is typed (Q97)', async () => {
    const origin = 'https://shop.test';
    await web.register([origin]);
    web.change(named(3, ANA));
    const answer = await web.ask('/embed/v1/admissions', {
      method: 'POST',
      headers: { ...(await bearer()), 'content-type': 'application/json' },
      body: JSON.stringify({ origin }),
    });
    expect(await answer.text()).toContain(JSON.stringify(ANA));
    await web.activate('gateway_a');
    const html = await (await web.ask(`/c/${pageToken}`)).text();
    const [box = ''] = /<label class="check">.*?<\/label>/.exec(html) ?? [];
    expect(box).toContain('Show my name to the others');
    expect([box.includes('checked'), box.includes('disabled')]).toEqual([false, true]);
  });

  it('a payment says to the ledger whether its payer shows the name (Q97)', async () => {
    await web.start({ customer_name: 'Ana', show_name: true });
    await web.start({ customer_name: 'Ana', command_id: 'c'.repeat(64) });
    const reserved = web.asked.filter(({ step }) => step === 'reserve').map(({ request }) => request);
    expect(reserved).toMatchObject([{ customer_name: 'Ana', show_name: true }, { customer_name: 'Ana' }]);
    expect(reserved[1]).not.toHaveProperty('show_name');
    expect(start).not.toHaveProperty('show_name');
  });
});

describe('a payer who takes it back', () => {
  const NAME = `/v1/group-payments/${groupId}/payments/${intentId}/shown-name`;
  const hidden = () => web.asked.filter(({ step }) => step === 'hideName').map(({ request }) => request);
  const on = { merchant_id: 'm1', mode: 'test', group_id: groupId, intent_id: intentId };

  it('the browser that knows its payment hides the name with a token of the group (Q99)', async () => {
    const answer = await web.ask(NAME, { method: 'DELETE', headers: await bearer() });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(hidden()).toEqual([on]);
  });

  it('a page on a registered origin may do the same, and no other page (Q99)', async () => {
    await web.register(['https://shop.test']);
    const preflight = async (origin: string) => {
      const answer = await web.ask(NAME, { method: 'OPTIONS', headers: { origin } });
      return answer.headers.get('access-control-allow-methods');
    };
    expect(await preflight('https://shop.test')).toBe('DELETE');
    expect(await preflight('https://evil.test')).toBe(null);
  });

  it('without a token, with a token of another group, and for no payment of this group nothing is hidden (S9, Q99)', async () => {
    const other = `/v1/group-payments/${intentId}/payments/${intentId}/shown-name`;
    expect((await web.ask(NAME, { method: 'DELETE' })).status).toBe(401);
    expect((await web.ask(other, { method: 'DELETE', headers: await bearer() })).status).toBe(404);
    const bad = NAME.replace(intentId, 'x');
    expect((await web.ask(bad, { method: 'DELETE', headers: await bearer() })).status).toBe(404);
    expect(hidden()).toEqual([]);
    web.answer({ hideName: () => Promise.reject(notFound('payment intent')) });
    expect((await web.ask(NAME, { method: 'DELETE', headers: await bearer() })).status).toBe(404);
  });

  it('the page behind the mail names it while the money is held or charged, and one press hides it (Q99)', async () => {
    await web.note('en');
    await web.hear('payment_intent.preauthorised');
    await web.pass();
    const link = findLink(web.server.received[0]?.mail.text);
    expect(web.server.received[0]?.mail.text).not.toContain('Ana');
    const read = async () => (await web.ask(link)).text();
    expect(await read()).not.toContain('hide-name');
    web.becomes({ shown_name: ANA });
    const html = await read();
    expect(html).toContain('The others see your name: \u2068Ana &lt;b>María&lt;/b>\u2069');
    expect(html).toContain(`action="${link}/hide-name"`);
    expect(hidden()).toEqual([]);
    web.answer({
      hideName: async () => {
        web.becomes({});
        return {};
      },
    });
    const after = await web.ask(`${link}/hide-name`, { method: 'POST' });
    expect([after.status, (await after.text()).includes('hide-name')]).toEqual([200, false]);
    expect(hidden()).toEqual([on]);
    expect((await web.ask(`/p/${'x'.repeat(32)}/hide-name`, { method: 'POST' })).status).toBe(404);
    expect(hidden()).toHaveLength(1);
  });

  it.each(['failed', 'voided', 'refunded'] as const)(
    'the page behind the mail says nothing of a name that nobody sees any more: %s (Q98)',
    async (state) => {
      await web.note('en');
      await web.hear('payment_intent.preauthorised');
      await web.pass();
      const link = findLink(web.server.received[0]?.mail.text);
      const money = state === 'refunded' ? { captured_minor: '1050', refunded_minor: '1050' } : {};
      web.becomes({ ...payment, state, ...money, shown_name: ANA });
      expect(await (await web.ask(link)).text()).not.toContain('Ana');
    },
  );
});
