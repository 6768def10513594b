import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { raisedLimits } from '@gp/stack';
import { formatApiKey } from '@gp/contracts';
import { randomBytes } from 'node:crypto';
import type { Group } from '../../support/api.ts';
import { openApi, newGroup, payer } from '../../support/journey.ts';
import { openDashboard } from '../../support/dashboard.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { cards } from '../../support/payer.ts';
import { findMerchant, type Merchant, type StackFile } from '../../support/stack.ts';
import { minutes, report } from '../long-run.ts';
import { measureFlood } from './measure.ts';
import { bogus, openVisitor, type Visitor } from '../../support/visitor.ts';
import { mint, payAsVisitor } from '../../support/visitor-payment.ts';

/**
 * The ratio that is allowed. In a build other files of tests take the machine's cores as well, so it allows three times as
 * much as `npm run attack -- --minutes`, where each file runs alone; a login that waited for its turn behind the guesses of
 * strangers took 17 times as long.
 */
const allowed = (ratio: number): number => (minutes === undefined ? 3 * ratio : ratio);

/** What one merchant may send in test mode where nothing else is set (RATE_LIMIT_TEST_PER_SECOND and _BURST). */
const LIMIT_OF_TEST_MODE = { perSecond: 25, burst: 50 };

/** Requests that a flood has in flight. */
const AT_ONCE = 60;

let own: OwnStack;
let stack: StackFile;
let merchant: Merchant;
let honest: Visitor;
let strangers: Visitor[];

beforeAll(async () => {
  const asInstalled = Object.fromEntries(raisedLimits.map((name) => [`GP_SET_${name}`, '']));
  own = await openOwnStack({ ...asInstalled, GP_SET_NODE_ENV: 'production' });
  stack = own.stack;
  merchant = findMerchant(stack, 'gateway_b');
  honest = openVisitor(9);
  strangers = Array.from({ length: 20 }, (_, n) => openVisitor(20 + n));
}, 240_000);
afterAll(async () => {
  await Promise.all([honest, ...(strangers ?? [])].map((visitor) => visitor?.close()));
  await own?.close();
});

const stranger = (nth: number): Visitor => strangers[nth % strangers.length] as Visitor;
const isServed = (statuses: readonly number[]) => expect([...new Set(statuses)]).toEqual([200]);
const pageToken = ({ checkout_url }: Group): string => checkout_url.split('/').at(-1) ?? '';
const not = (flood: Readonly<Record<number, number>>, ...expected: number[]) =>
  Object.keys(flood).filter((status) => !expected.includes(Number(status)));

describe('passwords', () => {
  const logIn = (visitor: Visitor, cookie?: string) =>
    visitor.post(
      `${stack.dashboard}/api/login`,
      { email: merchant.email, password: merchant.password },
      cookie === undefined ? {} : { cookie },
    );

  it('links nobody was mailed leave the login of others within twice its time (X12, K1)', async () => {
    const { honest: statuses, ratios } = await measureFlood('links nobody was mailed', {
      bound: allowed(2),
      honest: () => logIn(honest),
      atOnce: AT_ONCE,
      flood: (nth) =>
        stranger(nth).post(
          `${stack.dashboard}/api/${nth % 2 ? 'password-reset/confirm' : 'invitations/accept'}`,
          {
            token: bogus(),
            password: 'x'.repeat(200),
          },
        ),
    });
    isServed(statuses);
    expect(ratios[0]).toBeLessThanOrEqual(allowed(2));
  });

  const guess = (visitor: Visitor) =>
    visitor.post(`${stack.dashboard}/api/login`, {
      email: `${bogus(6)}@strangers.example`,
      password: bogus(),
    });

  it('guesses from twenty addresses leave the login in a known browser within twice its time (X12, K1)', async () => {
    const { cookies } = await logIn(honest);
    const device = cookies.split('; ').find((cookie) => cookie.includes('device')) ?? '';
    const { honest: statuses, ratios } = await measureFlood('guessed passwords, known browser', {
      bound: allowed(2),
      honest: () => logIn(honest, device),
      atOnce: AT_ONCE,
      flood: (nth) => guess(stranger(nth)),
    });
    isServed(statuses);
    expect(ratios[0]).toBeLessThanOrEqual(allowed(2));
  });

  it('guesses from one address never keep a new browser elsewhere from logging in (X12, K1)', async () => {
    const [lonely, newcomer] = [openVisitor(60), openVisitor(8)];
    const { honest: statuses, ratios } = await measureFlood('guessed passwords, new browser', {
      bound: allowed(3),
      honest: () => logIn(newcomer),
      atOnce: 30,
      flood: () => guess(lonely),
    });
    await Promise.all([lonely.close(), newcomer.close()]);
    isServed(statuses);
    expect(ratios[0]).toBeLessThanOrEqual(allowed(3));
  });
});

describe('a link', () => {
  it('a link that one address mints from without end opens for everybody else (X12, X9)', async () => {
    const group = await newGroup(openApi(stack, merchant), 3);
    const session = `${stack.checkout}/c/${pageToken(group)}/session`;
    const startedAt = performance.now();
    const { honest: statuses, flood } = await measureFlood('links minted from', {
      honest: () => honest.post(session),
      atOnce: AT_ONCE,
      flood: () => stranger(0).post(session),
    });
    isServed(statuses);
    const seconds = (performance.now() - startedAt) / 1_000;
    // Five a second and three hundred at once.
    expect(flood[200] ?? 0).toBeLessThanOrEqual(300 + 5 * seconds + 1);
    expect(not(flood, 200, 429)).toEqual([]);
  });

  it('a flood of unknown page tokens costs others nothing but their share of the machine (X12)', async () => {
    const group = await newGroup(openApi(stack, merchant), 3);
    const page = `${stack.checkout}/c/${pageToken(group)}`;
    const { honest: statuses, flood } = await measureFlood('unknown links', {
      honest: () => honest.get(page),
      atOnce: AT_ONCE,
      flood: (nth) => stranger(nth).get(`${stack.checkout}/c/${bogus(16)}`),
    });
    isServed(statuses);
    expect(not(flood, 404, 429)).toEqual([]);
  });
});

describe('live streams', () => {
  it('the live streams of one address are bounded, and others still follow the group (X12, X9)', async () => {
    const group = await newGroup(openApi(stack, merchant), 3);
    const id = group.group_payment.id;
    const tokens: string[] = [];
    // The flood of mints above has used up what the first stranger may mint.
    const others = strangers.slice(1);
    for (let n = 0; n < 40; n++) tokens.push(await mint(stack, others[n % others.length] as Visitor, group));
    const ends = new AbortController();
    // Kept until the end: fetch closes a stream whose answer nobody holds any more, and that makes room for another one.
    const answers: Response[] = [];
    const open = async (token: string): Promise<void> => {
      const answer = await fetch(`${stack.checkout}/v1/group-payments/${id}/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: ends.signal,
      });
      answers.push(answer);
    };
    // All of them come from 127.0.0.1, four with each token.
    for (let turn = 0; turn < 4; turn++) await Promise.all(tokens.map(open));
    const opened = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    report('streams that one address asked for', { opened: opened.length, refused: refused.length });
    expect(opened.length).toBeLessThanOrEqual(100);
    expect(opened.length + refused.length).toBe(4 * tokens.length);
    const events = await honest.get(`${stack.checkout}/v1/group-payments/${id}/events`, {
      authorization: `Bearer ${await mint(stack, honest, group)}`,
      accept: 'application/json',
    });
    expect(events.status).toBe(200);
    ends.abort();
  });
});

describe('declines', () => {
  it('the declines of one link-holder block nobody else of the group (X12, X7)', async () => {
    const group = await newGroup(openApi(stack, merchant), 6);
    const pay = async (
      visitor: Visitor,
      { name, slot, card }: { name: string; slot: number; card: string },
    ) =>
      payAsVisitor(stack, visitor, {
        group,
        token: await mint(stack, visitor, group),
        who: payer(name, card),
        slot,
      });
    const bad = stranger(3);
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++)
      statuses.push(await pay(bad, { name: `invented-${n}`, slot: 0, card: cards.declined }));
    report('declines of one link-holder', statuses.join(' '));
    expect(statuses).toContain(429);
    expect(statuses.every((status) => status < 500)).toBe(true);
    expect(await pay(honest, { name: 'ana', slot: 1, card: cards.approved })).toBe(200);
  });
});

describe('keys', () => {
  it('well-formed unknown keys, new each time, are refused and hold nobody up (X12)', async () => {
    const junk = () => formatApiKey('test', randomBytes(32).toString('hex').slice(0, 32));
    const url = `${stack.api}/v1/group-payments?limit=1`;
    const { honest: statuses, flood } = await measureFlood('unknown keys', {
      honest: () => honest.get(url, { authorization: `Bearer ${merchant.live_key}` }),
      atOnce: AT_ONCE,
      flood: (nth) => stranger(nth).get(url, { authorization: `Bearer ${junk()}` }),
    });
    isServed(statuses);
    expect(not(flood, 401, 429)).toEqual([]);
  });

  it('fifty keys of one merchant share its limit and leave other merchants theirs (X12, Q11)', async () => {
    const other = findMerchant(stack, 'gateway_a');
    const url = `${stack.api}/v1/group-payments?limit=1`;
    const dashboard = await openDashboard(stack, merchant);
    const keys: string[] = [];
    for (let n = 0; n < 50; n++)
      keys.push(String((await dashboard.post('keys', { mode: 'test', name: `flood ${n}` })).body['key']));
    const {
      honest: statuses,
      flood,
      seconds,
    } = await measureFlood('fifty keys of one merchant', {
      honest: () => honest.get(url, { authorization: `Bearer ${other.live_key}` }),
      atOnce: AT_ONCE,
      flood: (nth) => stranger(nth).get(url, { authorization: `Bearer ${keys[nth % keys.length]}` }),
    });
    isServed(statuses);
    // The limit is reached, and no more is admitted than it allows in that time, however slow the machine is.
    expect(flood[429] ?? 0).toBeGreaterThan(0);
    const { perSecond, burst } = LIMIT_OF_TEST_MODE;
    expect(flood[200] ?? 0).toBeLessThanOrEqual(burst + perSecond * seconds);
  });
});
