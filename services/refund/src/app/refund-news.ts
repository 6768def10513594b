import { setTimeout as delay } from 'node:timers/promises';
import type { RefundView } from '@gp/contracts';

/** Attention to one group's refunds, from the moment it was given until it is closed. */
export type Attention = {
  /** The refund once it is settled; undefined when it is not by `untilMs` (epoch ms). */
  settled(refundId: string, untilMs: number): Promise<RefundView | undefined>;
  close(): void;
};

export type RefundNews = {
  /** Takes what was heard of a refund. */
  tell(view: RefundView): void;
  /** Given before a refund is opened, so that no news of it can come too early. */
  attend(groupId: string): Attention;
};

/** What this process heard of refunds that somebody here waits for. Nothing else is remembered. */
export function refundNews(): RefundNews {
  const listeners = new Map<string, Set<(view: RefundView) => void>>();
  return {
    tell(view) {
      for (const listen of listeners.get(view.group_id) ?? []) listen(view);
    },
    attend(groupId) {
      const ended = new Map<string, RefundView>();
      let heard = Promise.withResolvers<void>();
      const listen = (view: RefundView): void => {
        if (!view.is_settled) return;
        ended.set(view.refund_id, view);
        heard.resolve();
        heard = Promise.withResolvers<void>();
      };
      const beside = listeners.get(groupId) ?? new Set();
      listeners.set(groupId, beside.add(listen));
      return {
        async settled(refundId, untilMs) {
          const late = timeout(untilMs);
          while (!ended.has(refundId) && !late.isOver()) await Promise.race([heard.promise, late.over]);
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
