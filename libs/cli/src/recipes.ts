import type { TestCard } from '@group-payments/client';
import { readNow, type Account } from './account.ts';
import { paySlots } from './pay.ts';
import { pause, type Shell } from './shell.ts';

/** Makes an event happen: resolves with the id of the group payment that it will be about. */
export type Recipe = {
  readonly summary: string;
  readonly run: (scene: Scene) => Promise<string>;
};

/** What a recipe can do. */
type Scene = ReturnType<typeof openScene>;

/** Payers of the scene differ, so that a decline of one stops no other. */
export function openScene(shell: Shell, account: Account) {
  const { client } = account;
  let payers = 0;
  return {
    async create(
      slots: number,
      o: { fault?: string; firstSlotFault?: string; expiresInSeconds?: number } = {},
    ) {
      const { fault, firstSlotFault, expiresInSeconds = 3_600 } = o;
      const { group_payment, payment_slots } = await client.createGroupPayment({
        group_name: 'Triggered from the command line',
        total_amount: slots * 10,
        currency: 'EUR',
        expires_at: new Date((await readNow(account)) + expiresInSeconds * 1_000).toISOString(),
        ...(fault !== undefined && { metadata: { sandbox_fault: fault } }),
        distribution: {
          type: 'equally',
          number_of_slots: slots,
          ...(firstSlotFault !== undefined && {
            slot_metadata: Array.from({ length: slots }, (_, at) => ({
              metadata: at === 0 ? { sandbox_fault: firstSlotFault } : {},
            })),
          }),
        },
      });
      return { id: group_payment.id, slots: payment_slots.map(({ id }) => id) };
    },
    async pay(group: { id: string; slots: readonly string[] }, slot: number, card: TestCard = 'approved') {
      payers += 1;
      const payer = { email: `payer${payers}@example.com`, name: `Payer ${payers}`, card };
      const slotIds = group.slots.slice(slot, slot + 1);
      await paySlots(client, { groupId: group.id, payer, slotIds });
    },
    cancel: (id: string) => client.cancelGroupPayment(id),
    rename: (id: string, group_name: string) => client.updateGroupPayment(id, { group_name }),
    refund: (id: string, slot_ids?: readonly string[]) =>
      client.refundGroupPayment(id, slot_ids ? { slot_ids } : {}),
    /** Waits until the group is in one of these states, and returns the one that it is in then. */
    async until(id: string, states: readonly string[]): Promise<string> {
      for (const giveUpAt = Date.now() + 20_000; ; await pause(shell, 200)) {
        const { state } = (await client.getGroupPayment(id)).group_payment;
        if (states.includes(state) || Date.now() > giveUpAt || shell.signal.aborted) return state;
      }
    },
  };
}

async function payAll({ create, pay, until }: Scene, slots: number, o: { fault?: string } = {}) {
  const group = await create(slots, o);
  for (let slot = 0; slot < slots; slot++) await pay(group, slot);
  await until(group.id, ['paid']);
  return group;
}

const paid: Recipe = {
  summary: 'a group payment of one slot is paid',
  run: async (scene) => (await payAll(scene, 1)).id,
};
const refunded: Recipe = {
  summary: 'a group payment is paid and refunded',
  async run(scene) {
    const { id } = await payAll(scene, 1);
    await scene.refund(id);
    return id;
  },
};

/**
 * How gateways refuse a capture for good: after they had accepted it, or at once. One that has no later answer captures
 * in spite of the first, and one that has takes the second for a passing refusal.
 */
const CAPTURE_FAULTS = ['capture:async_failed:9', 'capture:decline:9'];

/** Pays groups until the gateway refuses a capture: of the only slot, or of one of two. */
async function failCapture({ create, pay, until }: Scene, slots: 1 | 2): Promise<string> {
  let id = '';
  for (const firstSlotFault of CAPTURE_FAULTS) {
    const group = await create(slots, { firstSlotFault });
    for (let slot = 0; slot < slots; slot++) await pay(group, slot);
    id = group.id;
    const wanted = slots === 1 ? 'capture_failed' : 'partially_paid';
    // On its way to paid, a group may be partially paid for a moment.
    if ((await until(id, ['paid', 'capture_failed', 'partially_paid'])) === wanted) return id;
  }
  return id;
}

/** Only a payer's bank and a gateway's own dashboard bring these about: test events are sent. */
export const SENT_AS_TEST = ['payment_intent.disputed', 'payment_intent.dispute_closed'] as const;

/** What can be made to happen, by the type of the event. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'payment_intent.preauthorised': paid,
  'payment_intent.captured': paid,
  'payment_intent.failed': {
    summary: 'a payer’s card is declined',
    async run({ create, pay }) {
      const group = await create(1);
      // The refusal is what is wanted.
      await pay(group, 0, 'declined').catch(rethrowUnlessDeclined);
      return group.id;
    },
  },
  'payment_intent.released': {
    summary: 'one of two slots is held, and the group payment is cancelled',
    async run({ create, pay, cancel }) {
      const group = await create(2);
      await pay(group, 0);
      await cancel(group.id);
      return group.id;
    },
  },
  'payment_intent.refunded': refunded,
  'group_payment.paid': paid,
  'group_payment.partially_paid': {
    summary: 'one of two captures is refused by the gateway',
    run: (scene) => failCapture(scene, 2),
  },
  'group_payment.capture_failed': {
    summary: 'the gateway refuses the capture',
    run: (scene) => failCapture(scene, 1),
  },
  'group_payment.expired': {
    summary: 'a group payment expires after a few seconds',
    run: async ({ create }) => (await create(1, { expiresInSeconds: 3 })).id,
  },
  'group_payment.cancelled': {
    summary: 'a group payment is cancelled',
    async run({ create, cancel }) {
      const { id } = await create(1);
      await cancel(id);
      return id;
    },
  },
  'group_payment.updated': {
    summary: 'a group payment gets another name',
    async run({ create, rename }) {
      const { id } = await create(1);
      await rename(id, 'Renamed from the command line');
      return id;
    },
  },
  'group_payment.refunded': refunded,
  'group_payment.partially_refunded': {
    summary: 'a group payment of two slots is paid, and one of them refunded',
    async run(scene) {
      const { id, slots } = await payAll(scene, 2);
      await scene.refund(id, slots.slice(0, 1));
      return id;
    },
  },
  'group_payment.refund_failed': {
    summary: 'a group payment is paid, and the gateway refuses the refund',
    async run(scene) {
      const { id } = await payAll(scene, 1, { fault: 'refund:decline' });
      await scene.refund(id).catch(rethrowUnlessRefused);
      return id;
    },
  },
};

function rethrowUnlessDeclined(error: unknown): void {
  if ((error as { name?: string }).name !== 'CommandFailure') throw error;
}

/** A refund that every gateway refused answers 502. */
function rethrowUnlessRefused(error: unknown): void {
  if ((error as { status?: number }).status !== 502) throw error;
}
