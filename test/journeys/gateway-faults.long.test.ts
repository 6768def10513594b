import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { MerchantApi, Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { openApi, beforeExpiry, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { authorise } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant } from '../support/stack.ts';

type End = { readonly state: string; readonly payments: readonly Pay[] };

const IN_CAPTURE = [
  'capture:drop_response',
  'capture:http_500_after_effect',
  'capture:http_500',
  'capture:timeout',
];
const IN_VOID = ['void:drop_response', 'void:http_500_after_effect', 'void:drop_request', 'void:timeout'];
const IN_AUTHORISE = ['authorise:drop_response', 'authorise:http_500_after_effect', 'authorise:delay:1500'];
const IN_CALLBACK = ['callback:duplicate:10', 'callback:reorder:10'];

let own: OwnStack;
/** Every faulty group, begun at once: most of their time they wait for the next try. */
const ends = new Map<string, Promise<End>>();

beforeAll(async () => {
  own = await openOwnStack();
  // Faulty authorisations open the breaker of their gateway: who has to pay before a group expires goes first.
  await Promise.allSettled(rows(IN_VOID).map(([gateway, fault]) => begin(gateway, fault, payHalf)));
  for (const [gateway, fault] of rows([...IN_AUTHORISE, ...IN_CAPTURE, ...IN_CALLBACK]))
    void begin(gateway, fault, payAll);
}, 180_000);
afterAll(async () => {
  await Promise.allSettled(ends.values());
  await own?.close();
});

/** Resolves when its payers have paid. */
function begin(gateway: PspCode, fault: string, pay: typeof payAll): Promise<unknown> {
  const paid = pay(gateway, fault);
  const end = paid.then(({ ends }) => ends());
  // Each is awaited by its own test; a failure before that must not end the file.
  end.catch(() => undefined);
  ends.set(`${gateway} ${fault}`, end);
  return paid.catch(() => undefined);
}
const waitForEnd = (gateway: PspCode, fault: string): Promise<End> =>
  ends.get(`${gateway} ${fault}`) ?? Promise.reject(new Error('not begun'));

type Paid = { ends(): Promise<End> };

/** A group of two whose gateway misbehaves for every payment of it; both payers pay. */
async function payAll(gateway: PspCode, sandbox_fault: string): Promise<Paid> {
  const api = openApi(own.stack, findMerchant(own.stack, gateway));
  const group = await newGroup(api, 2, { metadata: { sandbox_fault } });
  const { id } = group.group_payment;
  const payments: Pay[] = [];
  const unanswered: unknown[] = [];
  for (const [index, slot] of group.payment_slots.entries()) {
    const who = payer(`payer${index}`);
    const pay = await api.pay(id, { customer_email: who.email, slot_ids: [slot.id] });
    payments.push(pay);
    // A browser that sees no answer cannot know more than this: the platform has to find out.
    const told = authorise(own.stack, api, id, pay, who);
    await (findManifest(gateway).flow === 'server_confirm'
      ? told
      : told.catch((error: unknown) => unanswered.push(error)));
  }
  const ends = () =>
    endsAs(api, id, 'paid', payments).catch((error: unknown) => {
      throw new AggregateError(
        [error, ...unanswered],
        `${String(error)}; browsers: ${unanswered.join(', ')}`,
      );
    });
  return { ends };
}

/** One of two payers pays, then the group expires. */
async function payHalf(gateway: PspCode, sandbox_fault: string): Promise<Paid> {
  const api = openApi(own.stack, findMerchant(own.stack, gateway));
  const { id, payments } = await beforeExpiry(60, async (expires_at) => {
    const group = await newGroup(api, 2, { metadata: { sandbox_fault }, expires_at });
    const payments = [await paySlot(own.stack, api, group, 0, payer('early'))];
    return { id: group.group_payment.id, payments };
  });
  return { ends: () => endsAs(api, id, 'expired', payments) };
}

/** A hold is seen within seconds; a capture without an answer is tried again after some. */
const END_MS = 150_000;

async function endsAs(api: MerchantApi, id: string, state: string, payments: readonly Pay[]): Promise<End> {
  const { group_payment } = await api.becomes(id, [state], END_MS);
  return { state: group_payment.state, payments };
}

const rows = (faults: readonly string[]): [PspCode, string][] =>
  pspCodes.flatMap((gateway) => faults.map((fault): [PspCode, string] => [gateway, fault]));

describe('an unknown outcome is not a failure', () => {
  it.each(rows([...IN_AUTHORISE, ...IN_CAPTURE, ...IN_CALLBACK]))(
    'on %s a group with %s ends paid, and every payment was held and captured once (R5)',
    async (gateway, fault) => {
      const { payments } = await waitForEnd(gateway, fault);
      for (const pay of payments) {
        const booked = await booksShow(own.stack, pay, 'captured');
        expect(Number(booked.captured_minor)).toBe(1_000);
        const all = await bookedPayments(own.stack, gateway, pay.payment_intent_id);
        expect(all.filter(({ captured_minor }) => Number(captured_minor) > 0)).toHaveLength(1);
        expect(effects(booked, 'capture')).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each(rows(IN_VOID))(
    'on %s a group that expires with %s charges nobody and its hold is released (C3)',
    async (gateway, fault) => {
      const { state, payments } = await waitForEnd(gateway, fault);
      expect(state).toBe('expired');
      for (const pay of payments) {
        const booked = await booksShow(own.stack, pay, 'voided', 90_000);
        expect([Number(booked.authorised_minor), Number(booked.captured_minor)]).toEqual([1_000, 0]);
      }
    },
    240_000,
  );
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(own.stack)).toEqual([]);
});

it('the fault that the guide "Testing" shows makes two captures fail and loses a callback, and the group is paid', async () => {
  const served = (await (await fetch(`${own.stack.api}/openapi.json`)).json()) as {
    info: { description: string };
  };
  const [shown] = listGuideBlocks(served.info.description, 'Testing').filter(
    ({ language }) => language === 'json',
  );
  const api = openApi(own.stack, findMerchant(own.stack, 'gateway_b'));
  const group = await newGroup(api, 1, JSON.parse(shown?.text ?? '') as Record<string, unknown>);
  const pay = await paySlot(own.stack, api, group, 0, payer('reader'));
  await api.becomes(group.group_payment.id, ['paid'], 120_000);
  const { calls } = await booksShow(own.stack, pay, 'captured');
  const captures = calls.filter(({ operation }) => operation === 'capture').map(({ outcome }) => outcome);
  expect(captures).toEqual(['failed', 'failed', 'ok']);
}, 180_000);
