import { setTimeout as delay } from 'node:timers/promises';
import type { RefundView } from '@gp/contracts';

/** A watch on the refunds of one group. It sees every update from its opening until it is closed. */
export type Watch = {
  /** Resolves with the refund once it is settled, or with undefined at `untilMs` (epoch ms). */
  settled(refundId: string, untilMs: number): Promise<RefundView | undefined>;
  close(): void;
};

export type RefundUpdates = {
  /** Hands an update of a refund to the watches of its group. */
  publish(view: RefundView): void;
  /** Opens a watch. Call it before the refund is opened, so that no update arrives too early. */
  watch(groupId: string): Watch;
};

/** Passes updates of refunds to the requests of this process that wait for them. Stores nothing. */
export function openRefundUpdates(): RefundUpdates {
  const listeners = new Map<string, Set<(view: RefundView) => void>>();
  return {
    publish(view) {
      for (const listen of listeners.get(view.group_id) ?? []) listen(view);
    },
    watch(groupId) {
      const ended = new Map<string, RefundView>();
      let updated = Promise.withResolvers<void>();
      const listen = (view: RefundView): void => {
        if (!view.is_settled) return;
        ended.set(view.refund_id, view);
        updated.resolve();
        updated = Promise.withResolvers<void>();
      };
      const beside = listeners.get(groupId) ?? new Set();
      listeners.set(groupId, beside.add(listen));
      return {
        async settled(refundId, untilMs) {
          const late = timeout(untilMs);
          while (!ended.has(refundId) && !late.isOver()) await Promise.race([updated.promise, late.over]);
          late.cancel();
          return ended.get(refundId);
        },
        close() {
          beside.delete(listen);
          if (beside.size === 0) listeners.delete(groupId);
        },
      };
    },
  };
}

function timeout(untilMs: number) {
  const cancelling = new AbortController();
  let isOver = false;
  const over = delay(Math.max(0, untilMs - Date.now()), undefined, { signal: cancelling.signal }).then(
    () => void (isOver = true),
    () => undefined,
  );
  return { over, isOver: () => isOver, cancel: () => cancelling.abort() };
}
