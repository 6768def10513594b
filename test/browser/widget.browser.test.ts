import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Page } from 'playwright-core';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, newGroup } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { answerBank, OTHER_CARDS } from './payer-page.ts';
import { book, findForm, readEvents } from './shop-page.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser, type Visitor } from './support.ts';
import { findWallet, hideWallets, waitUntilSaid } from './wallet-page.ts';

const TEST_MS = 150_000;
const CARD = '4242424242424242';

let shared: SharedStack;
let browser: TestBrowser;
/** A page whose origin no merchant has registered. */
let stranger: { url: string; server: Server };

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a'] });
  browser = await openBrowser();
  stranger = await openStranger();
}, BROWSER_START_MS);
afterEach(() => browser.dismiss());
afterAll(async () => {
  await browser.close();
  stranger.server.closeAllConnections();
  stranger.server.close();
  expect(await brokenPromises(shared.stack)).toEqual([]);
  await shared.close();
});

const keeper = () => shared.shopkeeper;
const use = (psp: string) => switchGateway(shared.stack, keeper(), psp);
const listSlotStates = async (id: string) =>
  (await openApi(shared.stack, keeper()).findGroup(id)).payment_slots.map(({ state }) => state);

/** Lets the server name this colour of the merchant to the widget's frame: other files use the merchant, too. */
const brandAs = (page: Page, brand_color: string) =>
  page.route('**/embed/v1/admissions*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), brand_color } });
  });

/** Lets the server give the slots these labels, which a merchant would have given at creation. */
const label = (page: Page, labels: readonly string[]) =>
  page.route('**/embed/v1/admissions*', async (route) => {
    const response = await route.fetch();
    const begun = (await response.json()) as { group: { slots: object[] } };
    const slots = begun.group.slots.map((slot, at) => ({ ...slot, label: labels[at] }));
    await route.fulfill({ response, json: { ...begun, group: { ...begun.group, slots } } });
  });

/** Mounts the widget of the page anew, with this accent or with none. */
const mountWithAccent = (page: Page, color: string | undefined) =>
  page.evaluate((accent) => {
    const place = document.querySelector('[data-service-group-pay]');
    const anew = place?.cloneNode() as HTMLElement;
    if (accent === undefined) delete anew.dataset['accentColor'];
    else anew.dataset['accentColor'] = accent;
    place?.replaceWith(anew);
  }, color);

const readAccent = ({ form }: ReturnType<typeof findForm>) =>
  form.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--accent').trim());

/** Every session token that a page was given. */
function tokensGivenTo({ page }: Visitor): string[] {
  const tokens: string[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('/session')) return;
    void response.json().then(
      ({ token }: { token: string }) => tokens.push(token),
      () => undefined,
    );
  });
  return tokens;
}

/** Every requested address, and every Referer that was sent. */
function listAddresses({ page }: Visitor): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    addresses.push(request.url(), request.headers()['referer'] ?? '');
  });
  page.on('framenavigated', (frame) => void addresses.push(frame.url()));
  return addresses;
}

/** Everything that any frame of the page keeps. */
async function readStorage(page: Page): Promise<string> {
  const kept = page
    .frames()
    .map((frame) =>
      frame.evaluate(() =>
        JSON.stringify([
          Object.entries(localStorage),
          Object.entries(sessionStorage),
          document.cookie,
          history.state,
        ]),
      ),
    );
  return (await Promise.all(kept)).join('\n');
}

async function typeCard(page: Page, number: string = CARD): Promise<void> {
  const card = page.frameLocator('iframe[title="Payment"]').frameLocator('.card-place iframe');
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiry date').fill('12 / 34');
  await card.getByLabel('Security code').fill('123');
}

async function payAtTheBank(page: Page): Promise<void> {
  await page.locator('input[name="card_number"]').fill(CARD);
  await page.locator('input[name="expiry_month"]').fill('12');
  await page.locator('input[name="expiry_year"]').fill('2034');
  await page.locator('input[name="cvv"]').fill('123');
  await page.locator('button[name="pay"]').click();
}

describe('a shop with a script', () => {
  it(
    'a shop with a script is paid at the bank: the payer leaves the shop and returns, and the shop gets one event',
    async () => {
      await use('gateway_c');
      const phone = await browser.visit('phone');
      const tokens = tokensGivenTo(phone);
      const addresses = listAddresses(phone);
      await phone.page.goto(shared.stack.shop);
      await phone.expectAccessible();
      await phone.screenshot('shop');
      const id = await book(phone.page, shared.stack.shop, 'script');
      const booking = phone.page.url();
      const payer = findForm(phone.page);
      await payer.heading('The old lighthouse').waitFor();
      await payer.form.getByText(`Payment to ${keeper().name}`).waitFor();
      const [, frame] = phone.page.frames();
      expect(await frame?.title()).toBe(`The old lighthouse · ${keeper().name}`);
      await phone.expectAccessible();
      await phone.screenshot('widget-choose');
      await payer.choose(1, 'ana');
      await payer.goOn.click();

      await payAtTheBank(phone.page);
      await phone.page.waitForURL(booking);
      await payer.heading('You are in').waitFor();
      await phone.page.getByText('Your share is in. We wait for the others.').waitFor();
      await phone.expectAccessible();
      await phone.screenshot('widget-done');
      expect(await readEvents(phone.page)).toEqual([
        {
          type: 'service:complete',
          detail: expect.objectContaining({ id, state: 'partially_preauthorised' }),
        },
      ]);
      expect(await listSlotStates(id)).toEqual(['preauthorised', 'unassigned']);

      expect(tokens.length).toBeGreaterThan(0);
      const seen = [...addresses, await readStorage(phone.page)].join('\n');
      expect(tokens.filter((token) => seen.includes(token))).toEqual([]);

      await phone.page.reload();
      await payer.heading('You are in').waitFor();
      expect(await readEvents(phone.page)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'a shop with a script leaves it to the form to name a refused address, gives a new session when the token was revoked, and keeps what the payer has chosen and typed',
    async () => {
      await use('gateway_c');
      const visitor = await browser.visit('desktop');
      const tokens = tokensGivenTo(visitor);
      const id = await book(visitor.page, shared.stack.shop, 'script');
      const payer = findForm(visitor.page);
      await payer.choose(2, 'ben');
      await visitor.screenshot('widget-choose');
      visitor.expects(/ 400 |status of 400/);
      await payer.email.fill('ben@nope');
      await payer.goOn.click();
      await payer.form.getByText('Please check the e-mail address').waitFor();
      // The form says it, and the shop does not say it once more.
      expect(await visitor.page.locator('#news').textContent()).toBe('');
      await payer.email.fill('ben@payers.example');
      const given = tokens.length;
      visitor.expects(/ 401 /);
      visitor.expects(/status of 401/);
      const dashboard = await openDashboard(shared.stack, keeper());
      await dashboard.post(`group-payments/${id}/revoke-sessions`, { mode: 'test' });
      await eventually(() => Promise.resolve(tokens.length > given || undefined));
      expect(await payer.share(2).isChecked()).toBe(true);
      expect(await payer.email.inputValue()).toBe('ben@payers.example');
      await payer.goOn.click();
      await payAtTheBank(visitor.page);
      await payer.heading('You are in').waitFor();
    },
    TEST_MS,
  );

  it(
    'a shop that has no session reports that, and the payer can try again and sees the labels of slots (Q71)',
    async () => {
      const visitor = await browser.visit('desktop', { colorScheme: 'dark' });
      visitor.expects(/503/);
      await visitor.page.route('**/session', (route) => route.fulfill({ status: 503 }), { times: 1 });
      await book(visitor.page, shared.stack.shop, 'script');
      const payer = findForm(visitor.page);
      await payer.form.getByRole('button', { name: 'Try again' }).waitFor();
      await visitor.expectAccessible();
      expect(await readEvents(visitor.page)).toEqual([
        { type: 'service:error', detail: { message: 'The booking desk does not answer.' } },
      ]);
      await label(visitor.page, ['<b>Ben</b>', 'W'.repeat(60)]);
      await payer.form.getByRole('button', { name: 'Try again' }).click();
      await payer.heading('The old lighthouse').waitFor();
      await payer.form.getByRole('checkbox', { name: '<b>Ben</b>' }).waitFor();
      await payer.form.getByText('W'.repeat(60), { exact: true }).waitFor();
      await visitor.expectAccessible();
      await visitor.screenshot('widget-dark');
    },
    TEST_MS,
  );

  it(
    'a shop with a script can unmount the form twice and mount it again, and can show two forms side by side',
    async () => {
      const visitor = await browser.visit('desktop');
      const { page } = visitor;
      await book(page, shared.stack.shop, 'plain');
      await findForm(page).heading('The old lighthouse').waitFor();
      const mounted = await page.evaluate(async () => {
        const createSession = async () =>
          (await (await fetch(`${location.pathname}/session`, { method: 'POST' })).json()) as never;
        const place = document.createElement('div');
        place.id = 'second';
        document.querySelector('main')?.append(place);
        const widget = window.ServiceGroupPay({ createSession });
        const first = widget.mount('#second');
        let refused = '';
        try {
          widget.mount(place);
        } catch (error) {
          refused = String(error);
        }
        first.unmount();
        first.unmount();
        const left = place.childElementCount;
        widget.mount(place);
        return { refused, left };
      });
      expect(mounted).toEqual({ refused: expect.stringContaining('has a payment form already'), left: 0 });
      await findForm(page, '#second iframe').heading('The old lighthouse').waitFor();
      expect(await page.locator('iframe').count()).toBe(2);
      const second = page.locator('#second iframe');
      // Browsers let a frame of another origin rest while it is out of sight.
      await second.scrollIntoViewIfNeeded();
      const body = findForm(page, '#second iframe').form.locator('body');
      await eventually(async () => {
        const height = await second.evaluate((frame) => frame.getBoundingClientRect().height);
        const content = await body.evaluate((element) => element.getBoundingClientRect().height);
        return Math.abs(height - content) < 2 || undefined;
      });
    },
    TEST_MS,
  );

  it(
    'a shop chooses the accent: an illegible one is corrected, and a value that is no colour is refused',
    async () => {
      const visitor = await browser.visit('desktop');
      const { page } = visitor;
      await brandAs(page, '#0000ff');
      await book(page, shared.stack.shop, 'plain');
      const refusals = await page.evaluate(() =>
        ['red', '#000;background:url(//evil.example)', 'var(--x)', '#12'].map((accentColor) => {
          try {
            window.ServiceGroupPay({
              createSession: () => Promise.reject(new Error()),
              theme: { accentColor },
            });
            return 'taken';
          } catch (error) {
            return String(error);
          }
        }),
      );
      for (const refusal of refusals)
        expect(refusal).toContain('TypeError: ServiceGroupPay: theme.accentColor must');
      await mountWithAccent(page, '#ffee00');
      const payer = findForm(page);
      await payer.choose(1, 'eva');
      // Yellow as the shop wished, dark enough to be read on light ground.
      expect(await readAccent(payer)).toBe('#756d00');
      await visitor.expectAccessible();
    },
    TEST_MS,
  );

  it(
    'a shop that chooses no accent has the colour of its merchant (Q52)',
    async () => {
      const { page } = await browser.visit('desktop');
      await brandAs(page, '#ffee00');
      await book(page, shared.stack.shop, 'plain');
      await mountWithAccent(page, undefined);
      const payer = findForm(page);
      await payer.choose(1, 'eva');
      expect(await readAccent(payer)).toBe('#756d00');
    },
    TEST_MS,
  );
});

describe('a shop without a script', () => {
  it(
    'a shop without a script is paid by gateway_a with a pinned loader, and the payer goes on to the shop’s own page',
    async () => {
      await use('gateway_a');
      const visitor = await browser.visit('phone');
      const { page } = visitor;
      const id = await book(page, shared.stack.shop, 'plain');
      expect(await page.locator('script[integrity]').getAttribute('src')).toMatch(
        /\/widget\/\d+\.\d+\.\d+\/widget\.js$/,
      );
      const payer = findForm(page);
      await payer.choose(1, 'cleo');
      await payer.goOn.click();
      await payer.form.getByLabel('Name on the card').fill('Cleo Example');
      await typeCard(page);
      await visitor.expectAccessible();
      await visitor.screenshot('widget-card');
      await payer.pay.click();
      await page.waitForURL(`${shared.stack.shop}/thanks/${id}`);
      await page.getByRole('heading', { name: 'Your share is in' }).waitFor();
      await visitor.expectAccessible();
      expect(await listSlotStates(id)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a shop without a script is paid by gateway_b after a declined card and 3-D Secure on the bank’s page, and by gateway_a after 3-D Secure within the frame (Q51)',
    async () => {
      await use('gateway_b');
      const phone = await browser.visit('phone');
      const id = await book(phone.page, shared.stack.shop, 'plain');
      const booking = phone.page.url();
      const ana = findForm(phone.page);
      await ana.choose(1, 'ana');
      await ana.goOn.click();
      await ana.form.getByLabel('Name on the card').fill('Ana Example');
      phone.expects(/400/);
      await typeCard(phone.page, OTHER_CARDS.declined);
      await ana.pay.click();
      await ana.form.getByRole('alert').filter({ hasText: 'declined' }).waitFor();
      await phone.expectAccessible();
      await phone.screenshot('widget-declined');
      await typeCard(phone.page, OTHER_CARDS.challenged);
      await ana.pay.click();
      await answerBank(phone.page, true);
      await phone.page.waitForURL(`${shared.stack.shop}/thanks/${id}`);
      expect(await listSlotStates(id)).toEqual(['preauthorised', 'unassigned']);

      await use('gateway_a');
      const desktop = await browser.visit('desktop');
      const { page } = desktop;
      await page.goto(booking);
      const ben = findForm(page);
      await ben.choose(2, 'ben');
      await ben.goOn.click();
      await ben.form.getByLabel('Name on the card').fill('Ben Example');
      await typeCard(page, OTHER_CARDS.challenged);
      await ben.pay.click();
      const issuer = ben.form.getByRole('dialog').locator('iframe').contentFrame();
      await issuer.getByRole('button').first().waitFor();
      await desktop.screenshot('widget-3d-secure');
      await issuer.locator('button[value="authenticated"]').click();
      await page.waitForURL(`${shared.stack.shop}/thanks/${id}`);
      await openApi(shared.stack, keeper()).becomes(id, ['paid']);
    },
    TEST_MS,
  );

  it(
    'a shop without a script may add and remove containers and name their language; an unknown language is a warning, an invalid attribute an error',
    async () => {
      const visitor = await browser.visit('desktop');
      const { page } = visitor;
      await book(page, shared.stack.shop, 'plain');
      await findForm(page).heading('The old lighthouse').waitFor();
      visitor.expects(/data-session-url|data-redirect-url/);
      const warnings: string[] = [];
      page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
      await page.evaluate(() => {
        const container = document.querySelector<HTMLElement>('[data-service-group-pay]');
        const copy = container?.cloneNode() as HTMLElement;
        container?.remove();
        copy.id = 'later';
        copy.dataset['locale'] = 'ar';
        document.querySelector('main')?.append(copy);
        for (const [name, value] of [
          ['sessionUrl', 'javascript:alert(1)'],
          ['redirectUrl', 'javascript:alert(1)'],
          ['redirectUrl', 'data:text/html,{id}'],
          ['sessionUrl', ''],
        ] as const) {
          const bad = copy.cloneNode() as HTMLElement;
          bad.dataset[name] = value;
          document.body.append(bad);
        }
      });
      const later = findForm(page, '#later iframe');
      await later.heading('The old lighthouse').waitFor();
      expect(await later.form.locator('html').getAttribute('dir')).toBe('rtl');
      await later.form.getByText('اختر حصتك').waitFor();
      // The data of the form are in the language of its sentences.
      expect(await later.form.locator('.tile-amount').first().textContent()).toMatch(/240\.00\s€$/);
      await visitor.screenshot('widget-arabic');
      await visitor.expectAccessible();
      expect(warnings).toEqual([]);
      expect(await page.locator('iframe').count()).toBe(1);
      expect((await readEvents(page)).map(({ detail }) => detail.message)).toEqual([
        'ServiceGroupPay: data-session-url must be an address',
        'ServiceGroupPay: data-redirect-url must be an address',
        'ServiceGroupPay: data-redirect-url must be an address',
        'ServiceGroupPay: data-session-url is required',
      ]);
      await page.locator('main > #later').evaluate((later: HTMLElement) => {
        const copy = later.cloneNode() as HTMLElement;
        copy.id = 'unknown';
        copy.dataset['locale'] = 'tlh';
        later.replaceWith(copy);
      });
      await findForm(page, '#unknown iframe').form.getByText('Choose your share').waitFor();
      expect(warnings).toEqual(['ServiceGroupPay: the form has no locale "tlh", so it is shown in "en-GB"']);
    },
    TEST_MS,
  );
});

describe('another site', () => {
  it(
    'another site cannot frame the form, neither under its own origin nor by naming a registered one; it is told within a second, and its visitor reads a note (Q113)',
    async () => {
      const visitor = await browser.visit('desktop');
      visitor.expects(/frame-ancestors|Content Security Policy|ERR_BLOCKED|status of 403/);
      visitor.expects(/ 403 /);
      const { page } = visitor;
      await page.clock.install({ time: 0 });
      await page.goto(stranger.url);
      // From here on a second passes only where the test says so, however busy the machine is.
      await page.clock.pauseAt(60_000);
      await page.evaluate(
        ([widget, checkout, shop]) => {
          const script = document.createElement('script');
          script.src = widget;
          script.onload = () => {
            Object.assign(window, { heard: [] as string[], isLoaded: false });
            const place = document.body.appendChild(document.createElement('div'));
            place.addEventListener('service:error', ({ detail }) => {
              (window as unknown as { heard: string[] }).heard.push(detail.message);
            });
            window
              .ServiceGroupPay({
                createSession: () =>
                  Promise.resolve({ token: 't', groupPaymentId: '0198c0de-0000-7000-8000-000000000001' }),
              })
              .mount(place);
            // Registered after the loader's own listener.
            place
              .querySelector('iframe')
              ?.addEventListener('load', () => Object.assign(window, { isLoaded: true }));
          };
          document.body.append(script);
          const liar = document.createElement('iframe');
          liar.src = `${checkout}/embed/v1?origin=${encodeURIComponent(shop)}`;
          document.body.append(liar);
        },
        [shared.stack.widget, shared.stack.checkout, shared.stack.shop] as const,
      );
      const readWindow = () =>
        page.evaluate(() => {
          const { heard, isLoaded } = window as unknown as { heard?: string[]; isLoaded?: boolean };
          return { heard, isLoaded };
        });
      // The refused frame has loaded the browser's page for that; the loader's second begins.
      await eventually(async () => (await readWindow()).isLoaded || undefined);
      expect((await readWindow()).heard).toEqual([]);
      await page.clock.runFor(1_000);
      expect((await readWindow()).heard).toEqual([
        `ServiceGroupPay: the form did not load. Is ${stranger.url} among your registered origins?`,
      ]);
      expect(page.frames()).toHaveLength(3);
      const countRefused = () =>
        page.frames().filter((each) => each.url().startsWith('chrome-error:')).length;
      await eventually(() => Promise.resolve(countRefused() === 1 || undefined));
      const note = page.frameLocator('iframe[title="Payment"]');
      await note.getByRole('heading', { name: 'You cannot pay on this page yet' }).waitFor();
      await note.getByText('Nothing was charged. Please tell the merchant').waitFor();
      // Large text makes it taller than its frame, whose page does not know its height.
      const canScroll = await note.locator('html').evaluate((html) => {
        html.style.fontSize = '400%';
        scrollTo(0, 9_999);
        return scrollY > 0;
      });
      expect(canScroll).toBe(true);
      await visitor.screenshot('widget-unregistered');
    },
    TEST_MS,
  );

  it(
    'another site exchanges no messages with the page of a shop',
    async () => {
      const visitor = await browser.visit('desktop');
      const { page } = visitor;
      const id = await book(page, shared.stack.shop, 'script');
      const evil = await page.context().newPage();
      await evil.goto(stranger.url);
      const opened = page.context().waitForEvent('page');
      await evil.evaluate((address) => {
        const heard: unknown[] = [];
        addEventListener('message', ({ data }) => heard.push(data));
        const victim = window.open(address);
        const say = () => victim?.postMessage({ type: 'service-group-pay:ready' }, '*');
        setInterval(say, 50);
        Object.assign(window, { heard });
      }, `${shared.stack.shop}/bookings/${id}`);
      const shop = await opened;
      await findForm(shop).heading('The old lighthouse').waitFor();
      expect(await evil.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'another site cannot show another merchant’s payment in its shop',
    async () => {
      const visitor = await browser.visit('desktop');
      visitor.expects(/404/);
      const api = openApi(shared.stack, findMerchant(shared.stack, 'gateway_a'));
      const group = await newGroup(api, 2);
      const { id } = group.group_payment;
      const answer = await fetch(`${shared.stack.api}/v1/group-payments/${id}/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${findMerchant(shared.stack, 'gateway_a').test_key}` },
      });
      const { token } = (await answer.json()) as { token: string };
      await visitor.page.route('**/session', (route) =>
        route.fulfill({ json: { token, groupPaymentId: id } }),
      );
      await book(visitor.page, shared.stack.shop, 'script');
      await visitor.page.getByText(/is not a registered origin of the merchant/).waitFor();
      expect(await findForm(visitor.page).form.getByText('Journey').count()).toBe(0);
    },
    TEST_MS,
  );
});

describe('a wallet in the widget', () => {
  async function reachCardForm(visitor: Visitor) {
    await use('gateway_a');
    const id = await book(visitor.page, shared.stack.shop, 'script');
    const payer = findForm(visitor.page);
    await payer.choose(1, 'ana');
    await payer.goOn.click();
    await payer.form.locator('.card-ready').waitFor();
    return { ...payer, id };
  }

  it(
    'a payer pays a share by the wallet in the widget on a phone (Q89)',
    async () => {
      const visitor = await browser.visit('phone');
      const payer = await reachCardForm(visitor);
      const wallet = findWallet(payer.form);
      await payer.form.getByLabel('Name on the card').fill('Ana Example');
      await wallet.button.waitFor();
      await visitor.expectAccessible();
      await wallet.button.click();
      await wallet.accepted.waitFor();
      await visitor.expectAccessible();
      await wallet.accepted.click();
      await payer.heading('You are in').waitFor();
      expect(await listSlotStates(payer.id)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a widget on a device without a wallet is shown the card form alone (Q89)',
    async () => {
      const visitor = await browser.visit('phone');
      await hideWallets(visitor.page);
      const payer = await reachCardForm(visitor);
      await waitUntilSaid(payer.form);
      expect(await findWallet(payer.form).button.count()).toBe(0);
      expect(await payer.form.getByText('or pay by card').isVisible()).toBe(false);
      await visitor.expectAccessible();
    },
    TEST_MS,
  );
});

async function openStranger(): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><body></body></html>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
