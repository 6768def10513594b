import type { Caller } from '../callers/caller.ts';

export type StreamLimits = {
  /** Of all merchants, in this process. */
  readonly most: number;
  /** Of one merchant in one mode, in this process. */
  readonly perMerchant: number;
};

/** `merchant`: this merchant has as many as it may; `process`: all of them have. */
export type StreamCrowd = 'merchant' | 'process';

/** Counts the open streams of events. */
export type OpenStreams = Pick<StreamLimits, 'perMerchant'> & {
  /** Counts a stream until `signal` aborts. Returns whose limit is reached instead, when it cannot be opened. */
  enter(caller: Pick<Caller, 'merchantId' | 'mode'>, signal: AbortSignal): StreamCrowd | undefined;
  size(): number;
};

export function openStreams(limits: StreamLimits): OpenStreams {
  const counts = new Map<string, number>();
  let all = 0;
  const leave = (owner: string): void => {
    all -= 1;
    const left = (counts.get(owner) ?? 1) - 1;
    if (left > 0) counts.set(owner, left);
    else counts.delete(owner);
  };
  return {
    perMerchant: limits.perMerchant,
    enter({ merchantId, mode }, signal) {
      if (signal.aborted) return undefined;
      const owner = JSON.stringify([merchantId, mode]);
      const open = counts.get(owner) ?? 0;
      if (open >= limits.perMerchant) return 'merchant';
      if (all >= limits.most) return 'process';
      counts.set(owner, open + 1);
      all += 1;
      signal.addEventListener('abort', () => leave(owner), { once: true });
      return undefined;
    },
    size: () => all,
  };
}
