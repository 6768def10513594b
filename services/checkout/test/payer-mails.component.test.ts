import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openMailbox } from '@gp/mail';
import { found, intentId } from './support/checkout.ts';
import { findLink, openMailing, type Mailing } from './support/mails.ts';

let mailing: Mailing;
beforeAll(async () => (mailing = await openMailing()));
afterAll(() => mailing?.close());
beforeEach(async () => {
  await mailing.clear();
  await mailing.switch(true);
});

const received = (at = 0) => mailing.server.received[at];
const header = (key: string) => received()?.mail.headers.find((each) => each.key === key)?.value;
/** A payment that was noted, and whose hold has been announced. */
const hold = async (languages = 'en') => {
  await mailing.note(languages);
  return mailing.hear('payment_intent.preauthorised');
};

describe('a mail to a payer', () => {
  it('a payer whose money is held gets one mail in the language of the browser, with payee, amount, share and time (Q77)', async () => {
    await hold('de-AT,de;q=0.9,en;q=0.8');
    await mailing.pass();
    const mail = received()?.mail;
    expect(received()?.envelope.to).toEqual(['ada@example.com']);
    expect(mail?.subject?.replace('\u00a0', ' ')).toBe('[Test] Casa Lola: € 10,50 vorgemerkt für Dinner');
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain('Casa Lola');
      expect(part).toContain('Dinner · Anteil 1');
      expect(part).toContain('1234ABCD');
      expect(part).toContain('Testmodus');
      expect(findLink(part)).toMatch(/^\/p\/[\w-]{32}$/);
    }
    expect(mail?.html).toMatch(/<html lang="de" dir="ltr">/);
    expect(await mailing.states()).toEqual(['held sent', 'reminder due']);
  });

  it.each([
    ['in the payer’s time zone', 'Asia/Kathmandu', '1 January 2030 at 05:45 GMT+5:45'],
    ['in UTC where none is known', undefined, '1 January 2030 at 00:00 UTC'],
    ['in UTC where this machine does not know it', 'Europe/Nowhere', '1 January 2030 at 00:00 UTC'],
  ])(
    'a mail, and the page behind it, write times %s, with its name (Q105)',
    async (_what, time_zone, written) => {
      mailing.becomes({ created_at: '2029-12-31T23:00:00.000Z', ...(time_zone && { time_zone }) });
      mailing.groupBecomes({ expires_at: '2030-01-01T00:00:00.000Z' });
      await hold('en-GB');
      await mailing.pass();
      const page = await (await mailing.ask(findLink(received()?.mail.text))).text();
      for (const part of [received()?.mail.text, received()?.mail.html])
        expect(part).toContain(`The bill can be paid until ${written}`);
      const begun = time_zone === 'Asia/Kathmandu' ? '1 January 2030 at 04:45' : '31 December 2029 at 23:00';
      for (const part of [received()?.mail.text, received()?.mail.html, page])
        expect(part).toContain(`${begun} ${written.split(' ').at(-1)}`);
    },
  );

  it('a mail asks for no link to be sent on, since it has only the payer’s own; the page behind it has that of the others while some are missing (Q77, Q79)', async () => {
    await hold();
    await mailing.pass();
    for (const part of [received()?.mail.text, received()?.mail.html]) {
      expect(part).not.toContain('Send the link');
      expect(part).toMatch(/shares? (is|are) still missing\. The bill can be paid until/);
    }
    const open = async () => (await mailing.ask(findLink(received()?.mail.text))).text();
    const page = await open();
    expect(page).toMatch(/still missing\. Send the link on to whoever has not paid yet\./);
    expect(page).toContain(`href="/c/${found.group.page_token}"`);
    expect(page).not.toContain('Continue to the payment');
    mailing.groupBecomes({}, false);
    expect(await open()).not.toMatch(/Send the link|href="\/c\//);
  });

  it('a mail, and the page behind it, say whom the payer may ask, with links that do only that (Q110)', async () => {
    const support = {
      support_email: 'a&body=x@casalola.example',
      support_url: 'https://casalola.example/help?a=1&b=2',
    };
    await mailing.register([], {}, { business_name: 'Casa Lola', payer_mails: true, ...support });
    await hold('de');
    await mailing.pass();
    const { text, html } = received()?.mail ?? {};
    expect(text).toContain('Fragen? Kontakt:\na&body=x@casalola.example\ncasalola.example/help?a=1&b=2\n');
    const page = await (await mailing.ask(findLink(text))).text();
    // As the other links look around them, and not in the browser's own blue.
    for (const [part, look] of [
      [html, 'style="color:#1f5f8b"'],
      [page, 'class="link"'],
    ] as const)
      for (const href of [
        'mailto:a%26body%3Dx@casalola.example',
        'https://casalola.example/help?a=1&amp;b=2',
      ])
        expect(part).toContain(`<a href="${href}" target="_blank" rel="noopener noreferrer" ${look}>`);
  });

  it('a mail and its page of a merchant who names nobody ask for no questions (Q110)', async () => {
    await hold('en');
    await mailing.pass();
    const { text, html } = received()?.mail ?? {};
    const page = await (await mailing.ask(findLink(text))).text();
    for (const part of [text, html, page]) expect(part).not.toContain('Questions?');
  });

  it('neither a repeated event nor a repeated pass sends a mail again (Q78)', async () => {
    const event = await hold();
    await mailing.pass();
    await mailing.hear(event.type, event);
    await mailing.passAll();
    await mailing.passAll();
    expect(mailing.server.received).toHaveLength(1);
  });

  it('a mail has nothing with which one can pay, and nothing that identifies the payer (Q77)', async () => {
    await hold();
    await mailing.pass();
    const all = JSON.stringify([received()?.mail.subject, received()?.mail.text, received()?.mail.html]);
    for (const secret of [found.group.page_token, '/c/', 'ada@example.com', 'Ada Lovelace', 'pi_1'])
      expect(all).not.toContain(secret);
    const stored = JSON.stringify(await mailing.rows('select * from payer_mails, mailed_payments'));
    expect(stored).not.toContain(findLink(received()?.mail.text).slice(3));
    expect(stored).not.toContain('ada@example.com');
  });

  it('a mail has the headers of RFC 8058, whose address is on its own page (Q79)', async () => {
    await hold();
    await mailing.pass();
    const page = `http://pay.test${findLink(received()?.mail.text)}`;
    expect(header('list-unsubscribe')).toBe(`<${page}/unsubscribe>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  it('the payer who completes a group is told of the charge only', async () => {
    await mailing.note('en');
    mailing.becomes({ state: 'capture_pending' });
    await mailing.hear('payment_intent.preauthorised');
    await mailing.pass();
    mailing.becomes({ state: 'captured', captured_minor: '1050' });
    await mailing.hear('payment_intent.captured');
    await mailing.pass();
    expect(mailing.server.received.map(({ mail }) => mail.subject)).toEqual([
      '[Test] Casa Lola: Receipt: €10.50 for Dinner',
    ]);
    expect(await mailing.states()).toEqual([
      'held skipped overtaken',
      'reminder skipped overtaken',
      'charged sent',
    ]);
  });

  it('released and refunded payments are told with what happened to the money', async () => {
    await mailing.note('en');
    mailing.becomes({ state: 'voided' });
    await mailing.hear('payment_intent.released');
    await mailing.pass();
    mailing.becomes({ state: 'refunded', captured_minor: '1050', refunded_minor: '500' });
    await mailing.hear('payment_intent.refunded');
    await mailing.pass();
    expect(mailing.server.received.map(({ mail }) => mail.subject)).toEqual([
      '[Test] Casa Lola: You were not charged: Dinner',
      '[Test] Casa Lola: €5.00 given back: Dinner',
    ]);
  });

  it.each([
    ['whose time ran out', 'expired', 'Not every share was paid in time, so nobody is charged.'],
    ['that was cancelled', 'cancelled', 'This bill was cancelled.'],
    ['that is still open', 'partially_preauthorised', ''],
  ] as const)(
    'a payer who was not charged reads why, in the mail and on its page: a bill %s',
    async (_which, state, why) => {
      mailing.groupBecomes({ state }, state === 'partially_preauthorised');
      await hold();
      mailing.becomes({ state: 'voided' });
      await mailing.hear('payment_intent.released');
      await mailing.pass();
      const { subject, text, html } = mailing.server.received.at(-1)?.mail ?? {};
      expect(subject).toContain('You were not charged: Dinner');
      const page = await (await mailing.ask(findLink(text))).text();
      const released = 'The €10.50 held on your card is being released';
      expect(text).toContain(`\n\n${why && `${why}\n\n`}${released}`);
      expect(html).toContain(`>${why || released}`);
      expect(page).toContain(`<p>${why && `${why} `}${released}`);
    },
  );

  it('a payer of a group with a minimum is told when the money is charged (Q90)', async () => {
    mailing.groupBecomes({ capture_minimum: { slots: 1 } });
    await hold();
    await mailing.pass();
    const { text, html } = received()?.mail ?? {};
    for (const part of [text, html])
      expect(part).toMatch(
        /It is charged once every share is held, or when time runs out and the minimum is reached \(1 share\)/,
      );
  });

  it('the mail about a payment with a tip says how much of the amount it is, and no other mail does (Q91)', async () => {
    mailing.becomes({ amount_minor: '1250', tip_minor: '200' });
    await hold();
    await mailing.pass();
    const { subject, text, html } = received()?.mail ?? {};
    expect(subject).toContain('€12.50 is held');
    for (const part of [text, html]) expect(part).toContain('Including a tip of €2.00');
    await mailing.clear();
    await hold();
    await mailing.pass();
    expect(received()?.mail.text).not.toContain('tip');
  });

  it('a name that a mail program makes a link of is in no mail', async () => {
    await mailing.switch(true, 'evil.example');
    mailing.groupBecomes({ group_name: 'Win at http://evil.example' });
    await hold();
    await mailing.pass();
    const { subject, text, html } = received()?.mail ?? {};
    expect(`${subject} ${text} ${html}`).not.toContain('evil');
    expect(subject).toBe('[Test] €10.50 is held for 1234ABCD');
  });
});

describe('a payer gets no mail', () => {
  it('while the switch is off, neither of payments started then nor of mails that are due (Q77)', async () => {
    await mailing.switch(false);
    await hold();
    expect(await mailing.states()).toEqual([]);
    await mailing.switch(true);
    await hold();
    await mailing.switch(false);
    await mailing.passAll();
    expect(await mailing.states()).toEqual(['held skipped off', 'reminder skipped off']);
    expect(mailing.server.received).toEqual([]);
  });

  it('a payment that nobody authorised sends no mail (Q80)', async () => {
    await mailing.note('en');
    await mailing.hear('payment_intent.failed');
    await mailing.passAll();
    expect(await mailing.states()).toEqual([]);
  });

  it('when the ledger erased the address', async () => {
    mailing.becomes({ email: 'erased-1@erased.invalid', name: null });
    await hold();
    await mailing.pass();
    expect(await mailing.states()).toEqual(['held skipped erased', 'reminder skipped erased']);
  });

  it('beyond the limits of an address, of a group, and of a merchant in test mode (Q80)', async () => {
    for (const limit of [
      { mailsPerAddressAndHour: 1 },
      { mailsPerAddressGroupAndDay: 1 },
      { mailsPerTestMerchantAndDay: 1 },
    ]) {
      await mailing.clear();
      mailing.limit(limit);
      await hold();
      await mailing.pass();
      await hold();
      await mailing.pass();
      expect((await mailing.states()).filter((state) => state.startsWith('held'))).toEqual([
        'held sent',
        'held skipped limited',
      ]);
    }
  });

  it('beyond a limit when many are due at once (Q80)', async () => {
    mailing.limit({ mailsPerAddressAndHour: 2 });
    for (let n = 0; n < 5; n += 1) await hold();
    await mailing.passAll();
    await mailing.passAll();
    expect(mailing.server.received).toHaveLength(2);
  });
});

describe('the folder of a trial stack', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gp-mail-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a mail of test mode is written into the folder with its link, and none of live mode is (Q109)', async () => {
    const address = pathToFileURL(folder).href;
    const list = () => openMailbox(address).list();
    mailing.useFolder(address);
    await hold('es');
    await mailing.pass();
    expect(await list()).toEqual([
      expect.objectContaining({
        sender: 'checkout',
        to: 'ada@example.com',
        subject: expect.stringContaining('Casa Lola'),
        text: expect.stringMatching(/http:\/\/pay\.test\/p\/[\w-]{32}$/m),
      }),
    ]);
    expect(await mailing.states()).toEqual(['held sent', 'reminder due']);
    await mailing.db.pool.query('delete from payer_mails');
    await mailing.db.pool.query('delete from mailed_payments');
    await mailing.switch(true, 'Casa Lola', 'live');
    await mailing.note('es', 'live');
    await mailing.hear('payment_intent.preauthorised', { mode: 'live' });
    await mailing.pass();
    expect(await mailing.states()).toEqual(['held skipped off', 'reminder skipped off']);
    expect(await list()).toHaveLength(1);
    expect(mailing.server.received).toEqual([]);
  });
});

describe('a mail server', () => {
  it('a mail that may have arrived is unknown and is not sent again (Q78)', async () => {
    await hold();
    mailing.server.answers.breaksOffAt = 'message';
    await mailing.pass();
    mailing.server.answers.breaksOffAt = undefined;
    await mailing.passAll();
    expect(await mailing.states()).toEqual(['held unknown', 'reminder due']);
    expect(mailing.server.received).toEqual([]);
  });

  it('a mail that did not arrive is sent again under the same id, with a link that works (Q78)', async () => {
    await hold();
    mailing.server.answers.message = { code: 451, text: 'try again later' };
    await mailing.pass();
    expect(await mailing.states()).toEqual(['held due', 'reminder due']);
    mailing.server.answers.message = undefined;
    mailing.server.answers.breaksOffAt = 'recipient';
    await mailing.passAll();
    mailing.server.answers.breaksOffAt = undefined;
    await mailing.passAll();
    expect(await mailing.states()).toEqual(['held sent', 'reminder due']);
    const [row] = await mailing.rows<{ id: string }>(`select id from payer_mails where kind = 'held'`);
    expect(header('message-id')).toBe(`<${row?.id}@platform.example>`);
    expect((await mailing.ask(findLink(received()?.mail.text))).status).toBe(200);
    expect(mailing.logged.join()).not.toMatch(/ada@example|\/p\//);
  });

  it('a mail that is refused with 5xx, and one that failed for a day, are not tried again', async () => {
    await hold();
    mailing.server.answers.recipient = { code: 550, text: 'no such user' };
    await mailing.pass();
    expect((await mailing.states())[0]).toBe('held refused');
    await mailing.hear('payment_intent.preauthorised', { created: '2026-01-01T00:00:00.000Z' });
    mailing.server.answers.recipient = { code: 450, text: 'later' };
    await mailing.db.pool.query(`update payer_mails set attempts = 8 where state = 'due' and kind = 'held'`);
    await mailing.passAll();
    expect((await mailing.states())[0]).toBe('held given_up');
  });
});

describe('a process that dies', () => {
  it('before it hands a mail over leaves it to the next one; while it does, the mail is unknown (Q78)', async () => {
    await hold();
    await mailing.db.pool.query(
      `update payer_mails set state = 'sending', address_hash = '\\x01', token_hash = '\\x02' where kind = 'held'`,
    );
    await mailing.passAll();
    expect((await mailing.states())[0]).toBe('held sending');
    await mailing.db.pool.query(
      `update payer_mails set changed_at = changed_at - interval '5 minutes' where kind = 'held'`,
    );
    await mailing.passAll();
    expect((await mailing.states())[0]).toBe('held unknown');
    expect(mailing.server.received).toEqual([]);
    await mailing.hear('payment_intent.preauthorised', { created: '2026-01-01T00:00:00.000Z' });
    await mailing.db.pool.query(
      `update payer_mails set attempts = 1, due_at = clock_timestamp() + interval '2 minutes' where state = 'due'`,
    );
    await mailing.pass();
    expect(mailing.server.received).toEqual([]);
    await mailing.passAll();
    expect((await mailing.states())[0]).toBe('held sent');
  });

  it('a try whose lease has ended does not change the next try, which may be sending the mail (Q78)', async () => {
    await hold();
    mailing.answer({
      listPayments: async () => {
        await mailing.db.pool.query(`update payer_mails
          set attempts = 2, state = 'sending', address_hash = '\\x01', token_hash = '\\x02' where kind = 'held'`);
        throw new Error('the ledger answers late');
      },
    });
    await mailing.pass();
    expect((await mailing.states())[0]).toBe('held sending');
  });

  it('a payment that is noted again keeps its first language', async () => {
    await mailing.note('es');
    await mailing.note('fr');
    expect(await mailing.rows('select payment_intent_id, locale from mailed_payments')).toEqual([
      { payment_intent_id: intentId, locale: 'es' },
    ]);
  });
});

describe('a reminder', () => {
  const hour = 3_600_000;
  const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

  it('a reminder waits for its time, which moves with the end of the group, and goes out once', async () => {
    mailing.groupBecomes({ expires_at: inHours(100) });
    await mailing.note('en');
    await mailing.hear('payment_intent.preauthorised', { created: inHours(-10) });
    await mailing.pass();
    const [waiting] = await mailing.rows<{ hours: number }>(
      `select extract(epoch from due_at - clock_timestamp())::float / 3600 as hours from payer_mails where kind = 'reminder'`,
    );
    expect(waiting?.hours).toBeCloseTo(76, 1);
    mailing.groupBecomes({ expires_at: inHours(1) });
    await mailing.hear('group_payment.updated', { data: {} });
    await mailing.pass();
    await mailing.passAll();
    expect(mailing.server.received.map(({ mail }) => mail.subject)).toEqual([
      '[Test] Casa Lola: €10.50 is held for Dinner',
      '[Test] Casa Lola: Dinner: 2 shares are still missing.',
    ]);
  });

  it('a reminder of a group that is complete or over, or of a payment that is not held any more, is not sent', async () => {
    await mailing.note('en');
    await mailing.hear('payment_intent.preauthorised', { created: inHours(-10) });
    mailing.groupBecomes({ expires_at: inHours(1) }, false);
    await mailing.pass();
    expect(await mailing.states()).toEqual(['held sent', 'reminder skipped overtaken']);
  });
});

describe('the page behind a link', () => {
  const open = async () => {
    await hold('es');
    await mailing.pass();
    return findLink(received()?.mail.text);
  };

  it('the page shows the payment as it is now, in the language of the mail, without the payer and without a script (Q79)', async () => {
    const link = await open();
    mailing.becomes({ state: 'refunded', captured_minor: '1050', refunded_minor: '1050' });
    const answer = await mailing.ask(link, { headers: { 'accept-language': 'de' } });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('<html lang="es" dir="ltr">');
    expect(html).toContain('Casa Lola');
    expect(html).toMatch(/10,50\s€/);
    expect(html).not.toMatch(/<script|ada@example|Ada Lovelace/);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain('form-action http://pay.test;');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('opening a link changes nothing; one POST ends the mails to that address, another one lets them go on (Q79)', async () => {
    const link = await open();
    for (const path of [link, `${link}/unsubscribe`, `${link}/subscribe`]) await mailing.ask(path);
    expect(await mailing.rows('select * from mail_opt_outs')).toEqual([]);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const ended = await mailing.ask(`${link}/unsubscribe`, { method: 'POST', body });
    expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining('/subscribe"')]);
    expect((await mailing.ask(`${link}/unsubscribe`, { method: 'POST' })).status).toBe(200);
    await mailing.hear('payment_intent.preauthorised');
    await mailing.passAll();
    expect((await mailing.states()).filter((state) => state.includes('unsubscribed'))).toHaveLength(1);
    expect(mailing.server.received).toHaveLength(1);
    await mailing.ask(`${link}/subscribe`, { method: 'POST' });
    await mailing.hear('payment_intent.preauthorised');
    await mailing.passAll();
    expect(mailing.server.received).toHaveLength(2);
  });

  it('one click ends the mails also while the ledger is away', async () => {
    const link = await open();
    mailing.answer({ listPayments: () => Promise.reject(new Error('away')) });
    await mailing.ask(`${link}/unsubscribe`, { method: 'POST' });
    expect(await mailing.rows('select merchant_id from mail_opt_outs')).toHaveLength(1);
  });

  it.each(['/p/x', `/p/${'A'.repeat(32)}`, `/p/${'A'.repeat(2_000)}`, '/p/..%2f..'])(
    'an unknown link is the page for every unknown address: %.40s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await mailing.ask(method === 'GET' ? path : `${path}/unsubscribe`, { method });
        expect(answer.status).toBe(404);
      }
    },
  );
});
