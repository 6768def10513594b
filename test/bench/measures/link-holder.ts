import { raisedLimits } from '@gp/stack';
import type { Group } from '../../support/api.ts';
import { newGroup, openApi, payer } from '../../support/journey.ts';
import { openOwnStack } from '../../support/own-stack.ts';
import { cards } from '../../support/payer.ts';
import { findMerchant, type StackFile } from '../../support/stack.ts';
import { bogus, openVisitor, startFlood, type Visitor } from '../../support/visitor.ts';
import { mint, payAsVisitor, reserve } from '../../support/visitor-payment.ts';
import type { Bench } from '../bench.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';

/** A merchant at whose gateway the answer to a confirmation says that the money is held. */
const MERCHANT = 'gateway_b';
/** Honest payers in a row, alone and beside the flood. */
const PAYERS = 5;
/** Slots that the flood is about; each honest payer takes another one. */
const SLOTS_OF_THE_FLOOD = 20;
const FLOOD = { atOnce: 20, perSecond: 150 };

/**
 * Time of payers from opening the link to the hold, while another holder of the same link asks for sessions, looks, reserves for
 * invented addresses and sends cards that are declined, as fast as it may; against the time without it. In a stack of its own
 * with the limits of an installation.
 */
export async function measureLinkHolder({ rounds, say }: Bench): Promise<Figure[]> {
  const asInstalled = Object.fromEntries(raisedLimits.map((name) => [`GP_SET_${name}`, '']));
  const own = await openOwnStack({ ...asInstalled, GP_SET_NODE_ENV: 'production' });
  const seen: Round[] = [];
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      const round = await playRound(own.stack);
      seen.push(round);
      say(`round ${turn + 1}: ${told(round.aloneMs)} ms alone, ${told(round.besideMs)} ms beside the flood`);
    }
  } finally {
    await own.close();
  }
  return [summarize(seen)];
}

type Round = {
  readonly aloneMs: number;
  readonly besideMs: number;
  /** Honest payers who were refused beside the flood. */
  readonly refused: number;
  /** Answers that the flood got, by status. */
  readonly flood: Readonly<Record<number, number>>;
};

/** A group of its own: its first payers alone, the next ones beside the flood. */
async function playRound(stack: StackFile): Promise<Round> {
  const api = openApi(stack, findMerchant(stack, MERCHANT));
  const group = await newGroup(api, SLOTS_OF_THE_FLOOD + 2 * PAYERS);
  const alone = await payInARow(stack, group, SLOTS_OF_THE_FLOOD);
  const stranger = openVisitor(200);
  const flood = startFlood(FLOOD, await openAbuse(stack, stranger, group));
  const beside = await payInARow(stack, group, SLOTS_OF_THE_FLOOD + PAYERS);
  const answers = await flood.stop();
  await stranger.close();
  const findMedian = (paid: readonly Paid[]) => computeSpread(paid.map(({ ms }) => ms)).median;
  return {
    aloneMs: findMedian(alone),
    besideMs: findMedian(beside),
    refused: beside.filter(({ isHeld }) => !isHeld).length,
    flood: answers,
  };
}

type Paid = { readonly ms: number; readonly isHeld: boolean };

/** Payers after each other, each with an address of its own, from the link to the hold of one slot. */
async function payInARow(stack: StackFile, group: Group, firstSlot: number): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (let slot = firstSlot; slot < firstSlot + PAYERS; slot += 1) {
    const visitor = openVisitor(10 + slot);
    const startedAt = performance.now();
    const token = await mint(stack, visitor, group);
    const status = await payAsVisitor(stack, visitor, { group, token, who: payer(`payer-${slot}`), slot });
    paid.push({ ms: performance.now() - startedAt, isHeld: status === 200 });
    await visitor.close();
  }
  return paid;
}

/** What one holder of the link may try, in turn, with a session of its own. */
async function openAbuse(stack: StackFile, stranger: Visitor, group: Group) {
  const token = await mint(stack, stranger, group);
  const who = () => payer(bogus(6), cards.declined);
  const slotOf = (nth: number) => nth % SLOTS_OF_THE_FLOOD;
  const attempts = [
    () => stranger.post(`${group.checkout_url}/session`),
    () => stranger.get(group.checkout_url),
    (nth: number) => reserve(stack, stranger, { group, token, email: who().email, slot: slotOf(nth) }),
    async (nth: number) => ({
      status: await payAsVisitor(stack, stranger, { group, token, who: who(), slot: slotOf(nth) }),
    }),
  ];
  return (nth: number): Promise<{ status: number }> => attempts[nth % attempts.length]!(nth);
}

const told = (ms: number): string => String(round(ms, 0));

function summarize(rounds: readonly Round[]): Figure {
  const [beside, alone] = [rounds.map(({ besideMs }) => besideMs), rounds.map(({ aloneMs }) => aloneMs)];
  const ratio = ratios(beside, alone);
  const refused = rounds.reduce((sum, one) => sum + one.refused, 0);
  const answers = rounds.flatMap(({ flood }) => Object.entries(flood));
  const count = (isCounted: (status: number) => boolean) =>
    answers.filter(([status]) => isCounted(Number(status))).reduce((sum, [, many]) => sum + many, 0);
  const [all, limited, faults] = [() => true, (s: number) => s === 429, (s: number) => s >= 500].map(count);
  const times = `${told(computeSpread(beside).median)} ms against ${told(computeSpread(alone).median)} ms`;
  return {
    id: 'link-holder',
    what: 'time of payers from opening the link to the hold, while another holder of the link asks for 150 sessions, pages, reservations and declined payments a second / without',
    value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}), ${times}; ${refused} of ${rounds.length * PAYERS} payers refused; ${limited} of ${all} requests of the other one limited`,
    goal: '≤2, no refusal',
    reached: ratio.median <= 2 && refused === 0 && faults === 0,
    detail: { ratio: round(ratio.median), refused, limited: limited ?? NaN, faults: faults ?? NaN },
  };
}
