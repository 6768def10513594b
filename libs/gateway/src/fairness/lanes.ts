import type { Mode } from '@gp/contracts';
import { openSlots, type Slots } from './slots.ts';

/** Work that belongs to one merchant in one mode. */
export type Lane = { readonly mode: Mode; readonly merchantId: string };

/** The rules of lanes that differ by merchant and mode only: each mode has slots of its own. */
export const byMerchant = {
  toKey: ({ mode, merchantId }: Lane): string => `${mode}:${merchantId}`,
  toPool: ({ mode }: Lane): string => mode,
};

/** Permission to begin one item. */
export type Admission = {
  /** Returns the permission when there was no item to use it for. */
  giveBack(): void;
};

export type LaneRules<L extends Lane, A extends Admission, Item> = {
  /** Identifies a lane. */
  readonly toKey: (lane: L) => string;
  /** Names the pool of slots that a lane uses; each pool has `slots` of them. */
  readonly toPool: (lane: L) => string;
  readonly slots: number;
  /** Slots that one lane may use at once. */
  readonly share: number;
  /** Resolves when the lane's account may make another call. Waiting takes no slot, and nothing is claimed. */
  readonly admit: (lane: L) => Promise<A>;
  /** Claims the lane's next item; undefined when nothing is due. */
  readonly take: (lane: L) => Promise<Item | undefined>;
  readonly work: (item: Item, admission: A) => Promise<void>;
  /** Called with what `take` or `work` rejected with. */
  readonly onError: (error: unknown) => void;
  /** Called when a lane found nothing more. */
  readonly onEmpty: () => void;
};

export type Lanes<L extends Lane> = {
  /** Claims the lane's items until none is due; does nothing while the lane does so already. */
  start(lane: L): void;
  /** Resolves when no lane claims items and none is in hand. */
  idle(): Promise<void>;
  /** Claims nothing more, and resolves when the items in hand are finished. */
  close(): Promise<void>;
};

type Running = { readonly own: Slots; isClaiming: boolean; inHand: number };

/**
 * Works on the items of many merchants side by side, so that no merchant waits for another's. Each lane asks for one slot
 * at a time and slots are given in turn: a lane with a thousand items gets no more of them than a lane with one.
 */
export function openLanes<L extends Lane, A extends Admission, Item>(rules: LaneRules<L, A, Item>): Lanes<L> {
  const { toKey, onError } = rules;
  const lanes = new Map<string, Running>();
  const pools = new Map<string, Slots>();
  const busy = new Set<Promise<void>>();
  let isClosing = false;

  const findPool = (lane: L): Slots => {
    const name = rules.toPool(lane);
    const pool = pools.get(name) ?? openSlots(rules.slots);
    pools.set(name, pool);
    return pool;
  };
  const track = (work: Promise<void>): void => {
    const tracked = work.catch(onError).finally(() => busy.delete(tracked));
    busy.add(tracked);
  };
  const forgetIfIdle = (lane: L, { isClaiming, inHand }: Running): void => {
    if (!isClaiming && inHand === 0) lanes.delete(toKey(lane));
  };

  async function workOn(lane: L, running: Running, begin: () => Promise<void>, release: () => void) {
    running.inHand += 1;
    try {
      await begin();
    } finally {
      running.inHand -= 1;
      release();
      forgetIfIdle(lane, running);
    }
  }

  /** Claims the next item and begins it; returns false when none is due. */
  async function claimNext(lane: L, running: Running): Promise<boolean> {
    const releaseShare = await running.own.take();
    const admission = await rules.admit(lane);
    const releaseSlot = await findPool(lane).take();
    const release = (): void => {
      releaseSlot();
      releaseShare();
    };
    let item: Item | undefined;
    try {
      item = isClosing ? undefined : await rules.take(lane);
    } finally {
      if (item === undefined) {
        admission.giveBack();
        release();
      }
    }
    if (item === undefined) return false;
    const claimed = item;
    track(workOn(lane, running, () => rules.work(claimed, admission), release));
    return true;
  }

  async function claimAll(lane: L, running: Running): Promise<void> {
    running.isClaiming = true;
    try {
      while (await claimNext(lane, running));
    } finally {
      running.isClaiming = false;
      forgetIfIdle(lane, running);
    }
    // What was stored since the last look is found by the next pass; after a failure that pass comes by itself.
    if (!isClosing) rules.onEmpty();
  }

  async function idle(): Promise<void> {
    while (busy.size > 0) await Promise.all(busy);
  }

  return {
    start(lane) {
      const key = toKey(lane);
      const running = lanes.get(key) ?? { own: openSlots(rules.share), isClaiming: false, inHand: 0 };
      if (isClosing || running.isClaiming) return;
      lanes.set(key, running);
      track(claimAll(lane, running));
    },
    idle,
    close() {
      isClosing = true;
      return idle();
    },
  };
}
