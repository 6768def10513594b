import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { openSandboxWorld, type SandboxWorld } from './sandbox-world.ts';
import { BROWSER_START_MS, openBrowser, type Screen, type TestBrowser, type Visitor } from './support.ts';

const GOOD = '4242424242424242';
const DECLINED = '4000000000009995';
const SECURED = '4000002760003184';

type Result = {
  paymentIntent?: { status: string };
  error?: {
    type: string;
    code?: string;
    decline_code?: string;
    message?: string;
    payment_intent?: { status: string };
  };
};
type CardElement = {
  mount(place: string | Element): void;
  on(name: string, listener: (event: object) => void): void;
  update(options: object): void;
  clear(): void;
  destroy(): void;
};
type Library = {
  elements(o?: object): { create(type: string, o?: object): CardElement };
  confirmCardPayment(secret: string, data?: object): Promise<Result>;
  retrievePaymentIntent(secret: string): Promise<Result>;
};
declare global {
  interface Window {
    Stripe(key: string, o: object): Library;
    /** State that the tests keep on the shop's page. */
    shop: {
      library: Library;
      card: CardElement;
      events: string[];
      heard: string[];
      result?: Promise<Result>;
    };
  }
}

let world: SandboxWorld;
let browser: TestBrowser;

beforeAll(async () => {
  world = await openSandboxWorld();
  browser = await openBrowser();
}, BROWSER_START_MS);

afterEach(() => browser?.dismiss());

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

/** A shop's page that keeps every message that reaches its window. */
async function openShopPage(screen: Screen, options: object = {}): Promise<Visitor> {
  const visitor = await browser.visit(screen, options);
  await visitor.page.addInitScript(() => {
    const heard: string[] = [];
    window.shop = { events: [], heard } as unknown as Window['shop'];
    window.addEventListener('message', (event) => heard.push(JSON.stringify(event.data)));
  });
  await visitor.page.goto(world.shop);
  return visitor;
}

const CODE = '987';

/** No card data is in the page around the frames, nor was any posted to it. Ids may contain the code's three digits. */
async function expectNoCard(page: Page, ...numbers: string[]): Promise<void> {
  const heard = await page.evaluate(() => window.shop.heard);
  const known = [await page.content(), ...heard].join('\n');
  expect(heard.length).toBeGreaterThan(2);
  const digits = known.replace(/[\s-]/g, '');
  for (const number of numbers) expect(digits).not.toContain(number);
  expect(known).not.toMatch(new RegExp(`\\b${CODE}\\b`));
}

async function typeCard(card: FrameLocator, number: string, cvc = CODE): Promise<void> {
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiry date').fill('12/34');
  await card.getByLabel('Security code').fill(cvc);
}

describe("gateway_a's library", () => {
  const findCardFrame = (page: Page) => page.frameLocator('#card iframe');

  async function mounted(screen: Screen = 'desktop', style: object = {}): Promise<Visitor> {
    const visitor = await openShopPage(screen);
    const { page } = visitor;
    await page.addScriptTag({ url: `${world.sandbox}/gateway_a/js` });
    const { publishable_key: key = '', account_id: account = '' } = world.accountA;
    await page.evaluate(
      ([key, stripeAccount, style]) => {
        window.shop.library = window.Stripe(key, { stripeAccount });
        window.shop.card = window.shop.library.elements().create('card', { style });
        for (const name of ['ready', 'change', 'focus', 'blur', 'escape'])
          window.shop.card.on(name, (event) => window.shop.events.push(JSON.stringify({ name, ...event })));
        window.shop.card.mount('#card');
      },
      [key, account, style] as const,
    );
    await page.waitForFunction(() => window.shop.events.some((event) => event.includes('"ready"')));
    return visitor;
  }

  const startPaying = (page: Page, secret: string) =>
    page.evaluate((secret) => {
      const { library, card } = window.shop;
      const billing_details = { name: 'Ana Pérez' };
      window.shop.result = library.confirmCardPayment(secret, { payment_method: { card, billing_details } });
    }, secret);
  const readResult = (page: Page) => page.evaluate(() => window.shop.result as Promise<Result>);
  async function pay(page: Page, secret: string): Promise<Result> {
    await startPaying(page, secret);
    return readResult(page);
  }

  it("gateway_a's library holds the money on a card that the page never sees", async () => {
    const visitor = await mounted('phone');
    const { page } = visitor;
    const { intentId, clientSecret } = await world.newIntentA();
    await typeCard(findCardFrame(page), GOOD);
    await visitor.expectAccessible();
    await visitor.screenshot('sandbox-gateway-a-card');

    expect(await pay(page, clientSecret)).toMatchObject({ paymentIntent: { status: 'requires_capture' } });
    expect(await world.books(intentId)).toMatchObject([{ status: 'authorised', authorised_minor: 1234 }]);
    await expectNoCard(page, GOOD);
    const again = await page.evaluate(
      (secret) => window.shop.library.retrievePaymentIntent(secret),
      clientSecret,
    );
    expect(again).toMatchObject({ paymentIntent: { status: 'requires_capture' } });
  });

  it("gateway_a's library reports why a card was declined, and accepts another one in the same place", async () => {
    const visitor = await mounted();
    const { page } = visitor;
    visitor.expects(/402/);
    const { intentId, clientSecret } = await world.newIntentA();
    await typeCard(findCardFrame(page), DECLINED);
    const { error } = await pay(page, clientSecret);
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: expect.stringMatching(/funds/),
      payment_intent: { status: 'requires_payment_method' },
    });
    await page.evaluate(() => window.shop.card.clear());
    await typeCard(findCardFrame(page), GOOD);
    expect(await pay(page, clientSecret)).toMatchObject({ paymentIntent: { status: 'requires_capture' } });
    expect(await world.books(intentId)).toMatchObject([{ status: 'authorised' }]);
    await expectNoCard(page, GOOD, DECLINED);
  });

  describe('with a 3-D Secure card', () => {
    async function asked(screen: Screen): Promise<Visitor & { intentId: string }> {
      const visitor = await mounted(screen);
      const { page } = visitor;
      const { intentId, clientSecret } = await world.newIntentA(100, 'jpy');
      await typeCard(findCardFrame(page), SECURED);
      await startPaying(page, clientSecret);
      await page.frameLocator('dialog iframe').getByText('¥100').waitFor();
      return { ...visitor, intentId };
    }

    it("gateway_a's library shows the 3-D Secure challenge over the page, blocks everything else, and continues after the answer", async () => {
      const visitor = await asked('phone');
      const { page, intentId } = visitor;
      await visitor.expectAccessible();
      await visitor.screenshot('sandbox-gateway-a-3ds');
      await expect(page.getByRole('button', { name: 'Pay' }).click({ timeout: 500 })).rejects.toThrow();
      await page.frameLocator('dialog iframe').getByRole('button', { name: 'Yes, it is me' }).click();
      expect(await readResult(page)).toMatchObject({ paymentIntent: { status: 'requires_capture' } });
      expect(await page.locator('dialog').count()).toBe(0);
      expect(await world.books(intentId)).toMatchObject([{ status: 'authorised' }]);
      await expectNoCard(page, SECURED);
    });

    it.each([
      [
        'the answer no',
        (page: Page) => page.frameLocator('dialog iframe').getByText('No, refuse it').click(),
      ],
      ['the button of the dialog', (page: Page) => page.getByRole('button', { name: 'Cancel' }).click()],
      ['Escape', (page: Page) => page.keyboard.press('Escape')],
      [
        'Escape inside the frame',
        (page: Page) => page.frameLocator('dialog iframe').getByText('Yes, it is me').press('Escape'),
      ],
    ] as const)("gateway_a's library ends a 3-D Secure authorisation by %s", async (_how, refuse) => {
      const { page, intentId } = await asked('desktop');
      await refuse(page);
      expect(await readResult(page)).toMatchObject({
        error: {
          type: 'invalid_request_error',
          code: 'payment_intent_authentication_failure',
          payment_intent: { status: 'requires_payment_method' },
        },
      });
      expect(await page.locator('dialog').count()).toBe(0);
      expect(await world.books(intentId)).toMatchObject([{ status: 'declined' }]);
    });
  });

  it("gateway_a's library distinguishes a lost connection from a refusal", async () => {
    const visitor = await mounted();
    const { page } = visitor;
    visitor.expects(/ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED/);
    const { clientSecret } = await world.newIntentA();
    await typeCard(findCardFrame(page), GOOD);
    await page.route('**/confirm', (route) => route.abort('connectionreset'));
    expect(await pay(page, clientSecret)).toMatchObject({ error: { type: 'api_connection_error' } });
    await page.route('**/payment_intents/*', (route) => route.abort('internetdisconnected'));
    const lost = await page.evaluate(
      (secret) => window.shop.library.retrievePaymentIntent(secret),
      clientSecret,
    );
    expect(lost).toMatchObject({ error: { type: 'api_connection_error' } });
    await page.unrouteAll();
    expect(await pay(page, clientSecret)).toMatchObject({ paymentIntent: { status: 'requires_capture' } });
  });

  it("gateway_a's library sends nothing while a field is missing or mistyped, and names the field", async () => {
    const visitor = await mounted();
    const { page } = visitor;
    const { intentId, clientSecret } = await world.newIntentA();
    expect(await pay(page, clientSecret)).toMatchObject({
      error: { type: 'validation_error', code: 'incomplete_number' },
    });
    await findCardFrame(page).getByText('Enter the whole card number.').waitFor();
    await typeCard(findCardFrame(page), '4242424242424241');
    expect(await pay(page, clientSecret)).toMatchObject({ error: { code: 'invalid_number' } });
    await visitor.expectAccessible();
    await visitor.screenshot('sandbox-gateway-a-mistyped');
    expect(await world.books(intentId)).toMatchObject([{ calls: [{ operation: 'prepare' }] }]);
  });

  it("gateway_a's library reports focus, changes and Escape, and nothing that is typed", async () => {
    const { page } = await mounted('desktop', { base: { color: '#fafafa' }, invalid: { color: '#ff8080' } });
    await findCardFrame(page).getByLabel('Card number').pressSequentially('42424242424');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pay' }).focus();
    await page.waitForFunction(() => window.shop.events.some((event) => event.includes('"blur"')));
    const events = (await page.evaluate(() => window.shop.events)).map(
      (event) => JSON.parse(event) as object,
    );
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'focus', elementType: 'card' }),
        expect.objectContaining({ name: 'change', brand: 'visa', complete: false, empty: false }),
        expect.objectContaining({ name: 'escape' }),
      ]),
    );
    await expectNoCard(page, '42424242424');
    await page.evaluate(() => window.shop.card.destroy());
    expect(await page.locator('#card iframe').count()).toBe(0);
  });

  it("gateway_a's library refuses what the vendor's library refuses", async () => {
    const { page } = await mounted();
    const said = await page.evaluate(() => {
      const { library } = window.shop;
      const host = document.body.appendChild(document.createElement('div'));
      const inShadow = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
      const tries = [
        () => library.elements().create('card').mount(inShadow),
        () => library.elements().create('card').mount('#nowhere'),
        () => library.elements().create('crystal'),
        () => window.Stripe('sk_live_1', {}),
        () => window.Stripe('', {}),
      ];
      return tries.map((attempt) => {
        try {
          attempt();
          return 'nothing';
        } catch (error) {
          return String(error);
        }
      });
    });
    expect(said).toEqual([
      expect.stringMatching(/IntegrationError.*ShadowRoot/),
      expect.stringMatching(/IntegrationError.*no DOM element/),
      expect.stringMatching(/IntegrationError.*valid Element name/),
      expect.stringMatching(/IntegrationError.*secret key/),
      expect.stringMatching(/IntegrationError.*apiKey/),
    ]);
  });
});

type Encryption = {
  encryptField(text: string, app: object, role?: string): Promise<string>;
  fromBase64(text: string | undefined): Uint8Array;
};

describe("gateway_b's card field", () => {
  const field = (page: Page) => page.frameLocator('#card iframe');

  async function mounted(
    screen: Screen,
    more: Record<string, string> = {},
    options: object = {},
  ): Promise<Visitor> {
    const visitor = await openShopPage(screen, options);
    const { team_id: team = '', app_id: app = '' } = world.accountB;
    const query = new URLSearchParams({ team, app, origin: world.shop, ...more });
    await visitor.page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      frame.title = 'Card';
      document.getElementById('card')?.append(frame);
    }, `${world.sandbox}/gateway_b/field?${query}`);
    return visitor;
  }

  type Heard = { type: string } & Record<string, unknown>;
  const heard = async (page: Page, type: string): Promise<Heard> => {
    const last = await page.waitForFunction((type) => {
      const messages = window.shop.heard.map((text) => JSON.parse(text) as { type: string });
      return messages.findLast((message) => message.type === type);
    }, type);
    return (await last.jsonValue()) as Heard;
  };
  const tell = (page: Page, message: object) =>
    page.evaluate(([message, origin]) => window.frames[0]?.postMessage(message, origin), [
      message,
      world.sandbox,
    ] as const);

  it("gateway_b's card field returns a card that only the relay can read, and the processor approves it", async () => {
    const visitor = await mounted('phone');
    const { page } = visitor;
    await heard(page, 'ready');
    await typeCard(field(page), GOOD);
    await visitor.expectAccessible();
    await tell(page, { type: 'submit', id: 'first' });
    const { id, card } = await heard(page, 'encrypted');
    expect(id).toBe('first');
    const { encrypted_card_number: number, encrypted_security_code: cvv } = card as Record<string, string>;
    expect(card).toEqual({
      encrypted_card_number: expect.stringMatching(/^ev:QkTC:[^:]{16}:[^:]{44}:[^:]+:\$$/),
      encrypted_security_code: expect.stringMatching(/^ev:QkTC:/),
      expiration_month: 12,
      expiration_year: 2034,
    });
    await expectNoCard(page, GOOD);

    const answer = await world.throughRelay(`${world.sandbox}/gateway_b/processor/payments`, {
      source: { type: 'card', number, expiry_month: 12, expiry_year: 2034, cvv, name: 'Ana' },
      amount: 1500,
      currency: 'EUR',
      capture: false,
      payment_type: 'Regular',
      reference: 'browser-card',
    });
    expect(answer).toMatchObject({ approved: true, source: { last4: '4242' } });
  });

  it.each([
    ['no text', '', undefined],
    ['a code with a role', '123', 'card'],
    ['a number', GOOD, undefined],
    ['a long text of all kinds', 'ñandú 💳 \u0000 and so on '.repeat(200), 'a-role'],
  ])("gateway_b's card field encrypts %s so that the relay reads exactly that", async (_what, text, role) => {
    // Tests may import a module of the page although its policy forbids that to every other script.
    const { page } = await browser.visit('desktop', { bypassCSP: true });
    await page.goto(`${world.sandbox}/gateway_b/field`);
    const { team_id: team, app_id: app } = world.accountB;
    const encrypted = await page.evaluate(
      async ([text, role, keys]) => {
        const path = '/gateway_b/assets/encrypt-field.ts';
        const { encryptField, fromBase64 } = (await import(path)) as Encryption;
        const answer = (await (await fetch(keys)).json()) as Record<string, string>;
        const key = {
          compressed: fromBase64(answer['ecdhP256Key']),
          uncompressed: fromBase64(answer['ecdhP256KeyUncompressed']),
        };
        const both = [false, true].map((isDebug) => encryptField(text, { ...key, isDebug }, role));
        return Promise.all(both);
      },
      [text, role, `/gateway_b/keys/${team}/apps/${app}`] as const,
    );
    expect(encrypted[1]).toMatch(/^ev:debug:QkTC:/);
    expect(await world.throughRelay(`${world.shop}/echo`, { encrypted })).toEqual({
      encrypted: [text, text],
    });
  });

  it("gateway_b's card field names the missing field, keeps the focus there, and sends nothing", async () => {
    const visitor = await mounted('phone', {
      locale: 'es',
      scheme: 'dark',
      color: '#ffffff',
      background: '#000',
    });
    const { page } = visitor;
    await heard(page, 'ready');
    await field(page).getByLabel('Número de tarjeta').fill('4242 4242 4242 4241');
    await tell(page, { type: 'submit', id: '2' });
    expect(await heard(page, 'incomplete')).toMatchObject({
      id: '2',
      error: { field: 'number', code: 'invalid_number' },
    });
    await field(page).getByText('El número de la tarjeta no es correcto.').waitFor();
    expect(await field(page).locator('input:focus').getAttribute('id')).toBe('number');
    await visitor.expectAccessible();
    await visitor.screenshot('sandbox-gateway-b-mistyped-dark');
  });

  it("gateway_b's card field takes colours and nothing else from its address", async () => {
    const { page } = await mounted('desktop', {
      color: '#123456',
      accent: 'red;background:url(https://shop.test)',
      danger: 'var(--color)',
    });
    await heard(page, 'ready');
    const style = await field(page).locator('html').getAttribute('style');
    expect(style?.replaceAll(' ', '')).toBe('--color:#123456;');
  });

  it("gateway_b's card field exchanges messages with the named origin only", async () => {
    const visitor = await mounted('desktop', { origin: 'https://other.test' });
    const { page } = visitor;
    visitor.expects(/does not match the recipient window's origin/);
    await field(page).getByLabel('Card number').fill(GOOD);
    await tell(page, { type: 'clear' });
    await tell(page, { type: 'submit', id: '3' });
    await field(page).getByLabel('Expiry date').fill('1/30');
    expect(await field(page).getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.evaluate(() => window.shop.heard)).toEqual([]);
  });

  it("gateway_b's card field reports that the key of an app cannot be loaded", async () => {
    const visitor = await mounted('desktop', { app: 'app_unknown' });
    visitor.expects(/404/);
    expect(await heard(visitor.page, 'error')).toMatchObject({ id: null, code: 'key_unavailable' });
  });
});
