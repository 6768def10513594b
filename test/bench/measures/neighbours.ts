import { setTimeout as delay } from 'node:timers/promises';
import { pspCodes } from '@gp/gateway-registry';
import { ApiFailure, merchantApi, type MerchantApi, type Pay } from '../../support/api.ts';
import { bookedPayments } from '../../support/books.ts';
import { openApi, newGroup, payer } from '../../support/journey.ts';
import { authorise } from '../../support/payer.ts';
import type { Merchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { ratios, round, computeSpread, type Figure } from '../ratios.ts';

const POLL_MS = 10;
const LONGEST_MS = 180_000;
const SAMPLES = 5;

/** Work of another merchant of the same gateway. Resolves when it runs; it ends by itself or when the signal fires. */
type Load = (bench: Bench, busy: Merchant, signal: AbortSignal) => Promise<void>;

const loads: readonly { readonly id: string; readonly what: string; readonly begin: Load }[] = [
  { id: 'beside-25-a-second', what: '25 payments/s', begin: pay25ASecond },
  {
    id: 'beside-captures',
    what: '60 captures that hang',
    begin: (...o) => payFaulty(...o, 60, 'capture:timeout'),
  },
  {
    id: 'beside-queries',
    what: '40 queries that hang',
    begin: (...o) => payFaulty(...o, 40, 'query:timeout:4'),
  },
  { id: 'beside-prepares', what: '25 preparations that fail', begin: failPrepares },
];

/**
 * A merchant's payment while another merchant of the same gateway is busy or has faults, against the same without: from
 * the payer's authorisation to the hold, and from the last hold to the captured group. A start that is refused counts
 * as a failure.
 */
export async function measureNeighbours(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const load of loads) figures.push(await measureBeside(bench, load));
  return figures;
}

async function measureBeside(bench: Bench, { id, what, begin }: (typeof loads)[number]): Promise<Figure> {
  const [busy, quiet] = await twoMerchants(bench);
  await sample(bench, quiet);
  const alone = await sampleMany(bench, quiet);
  const ending = new AbortController();
  await begin(bench, busy, ending.signal);
  const beside = await sampleMany(bench, quiet);
  ending.abort();
  const hold = ratios([findMedian(beside, 'holdMs')], [findMedian(alone, 'holdMs')]).median;
  const capture = ratios([findMedian(beside, 'captureMs')], [findMedian(alone, 'captureMs')]).median;
  const refused = beside.filter(({ isRefused }) => isRefused).length;
  const told = (samples: readonly Sample[]) =>
    `${round(findMedian(samples, 'holdMs'), 0)} and ${round(findMedian(samples, 'captureMs'), 0)} ms`;
  bench.say(`beside ${what}: ${told(beside)}, alone ${told(alone)}, ${refused} starts refused`);
  return {
    id,
    what: `time to hold and time to capture beside another merchant with ${what} / alone`,
    value: `${round(hold)} and ${round(capture)}; ${told(beside)} against ${told(alone)}; ${refused} of ${SAMPLES} starts refused`,
    goal: '≤1.5, no refusal',
    reached: hold <= 1.5 && capture <= 1.5 && refused === 0,
    detail: { hold: round(hold), capture: round(capture), refused },
  };
}

type Sample = { readonly holdMs: number; readonly captureMs: number; readonly isRefused: boolean };

const findMedian = (samples: readonly Sample[], what: 'holdMs' | 'captureMs'): number =>
  computeSpread(samples.map((one) => one[what])).median;

async function sampleMany(bench: Bench, merchant: Merchant): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < SAMPLES) samples.push(await sample(bench, merchant));
  return samples;
}

/** A group of two: the first payer's hold, then the second one's until the group is captured. */
async function sample({ stack }: Bench, merchant: Merchant): Promise<Sample> {
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const [first, second] = group.payment_slots.map((slot) => ({ slot_ids: [slot.id] }));
  const isRefused = await isStartRefused(merchantApi(stack.api, merchant.test_key, { retries: 0 }), id, {
    customer_email: payer('first').email,
    ...first,
  });
  const pays = [
    await api.pay(id, { customer_email: payer('first').email, ...first }),
    await api.pay(id, { customer_email: payer('second').email, ...second }),
  ];
  const holdMs = await timeUntil(api, id, 'partially_preauthorised', () =>
    authorise(stack, api, id, pays[0] as Pay, payer('first')),
  );
  const captureMs = await timeUntil(api, id, 'paid', () =>
    authorise(stack, api, id, pays[1] as Pay, payer('second')),
  );
  return { holdMs, captureMs, isRefused };
}

async function isStartRefused(api: MerchantApi, id: string, body: Record<string, unknown>): Promise<boolean> {
  try {
    await api.pay(id, body);
    return false;
  } catch (error) {
    return !(error instanceof ApiFailure && error.answer.status < 500);
  }
}

async function timeUntil(
  api: MerchantApi,
  id: string,
  state: string,
  act: () => Promise<void>,
): Promise<number> {
  await act();
  const startedAt = performance.now();
  for (;;) {
    if ((await api.findGroup(id)).group_payment.state === state) return performance.now() - startedAt;
    if (performance.now() - startedAt > LONGEST_MS) return LONGEST_MS;
    await delay(POLL_MS);
  }
}

/** Two merchants that no other measure uses, with the first gateway. */
async function twoMerchants({ own }: Bench): Promise<readonly [Merchant, Merchant]> {
  const find = async (): Promise<Merchant> => {
    const found = (await own.opened.newMerchants(pspCodes.slice(0, 1)))[0];
    if (!found) throw new Error('no new merchant has the first gateway');
    return found;
  };
  return [await find(), await find()];
}

type Started = { readonly api: MerchantApi; readonly id: string; readonly pay: Pay };

async function start(
  { stack }: Bench,
  merchant: Merchant,
  metadata: Record<string, string>,
): Promise<Started> {
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 1, { metadata });
  const { id } = group.group_payment;
  return { api, id, pay: await api.pay(id, { customer_email: payer('busy').email }) };
}

const PAYMENTS = 200;
const EVERY_MS = 40;

/** The payments are prepared before, so that the measured part has holds, callbacks and captures only. */
async function pay25ASecond(bench: Bench, busy: Merchant, signal: AbortSignal): Promise<void> {
  const started: Started[] = [];
  while (started.length < PAYMENTS)
    started.push(...(await Promise.all([1, 2, 3, 4].map(() => start(bench, busy, {})))));
  void (async () => {
    for (const { api, id, pay } of started) {
      if (signal.aborted) return;
      void authorise(bench.stack, api, id, pay, payer('busy')).catch(() => undefined);
      await delay(EVERY_MS);
    }
  })();
  await delay(2_000);
}

/** Every payment is authorised, and what the fault is about hangs until the adapter gives up. */
async function payFaulty(
  bench: Bench,
  busy: Merchant,
  _signal: AbortSignal,
  count: number,
  sandbox_fault: string,
): Promise<void> {
  const started: Started[] = [];
  while (started.length < count)
    started.push(...(await Promise.all([1, 2, 3, 4].map(() => start(bench, busy, { sandbox_fault })))));
  await Promise.all(
    started.map(({ api, id, pay }) =>
      authorise(bench.stack, api, id, pay, payer('busy')).catch(() => undefined),
    ),
  );
  await hangsAtGateway(bench, started);
}

/** As many calls as one merchant may have in hand (`MERCHANT_CONCURRENCY`). */
const HANGING = 12;
const HANGS_WITHIN_MS = 20_000;

/** Waits until the gateway has so many calls in hand that it does not answer, or none more can be expected. */
async function hangsAtGateway({ stack, say }: Bench, started: readonly Started[]): Promise<void> {
  for (const giveUpAt = performance.now() + HANGS_WITHIN_MS; performance.now() < giveUpAt; await delay(200)) {
    const books = await Promise.all(
      started.map(({ pay }) => bookedPayments(stack, pay.psp_code, pay.payment_intent_id)),
    );
    const since = Date.now() - 9_000;
    const calls = books.flat().flatMap((payment) => payment.calls);
    const hanging = calls.filter(
      ({ outcome, at }) => outcome === 'unanswered' && Date.parse(at) > since,
    ).length;
    if (hanging >= HANGING) return;
  }
  say('fewer calls hang at once than the merchant has slots');
}

async function failPrepares({ stack }: Bench, busy: Merchant): Promise<void> {
  const api = merchantApi(stack.api, busy.test_key, { retries: 0 });
  for (let i = 0; i < 25; i += 1) {
    const group = await newGroup(api, 1, { metadata: { sandbox_fault: 'prepare:http_500:10' } });
    await isStartRefused(api, group.group_payment.id, { customer_email: payer('busy').email });
  }
}
