import { AppError } from '@gp/errors';

/**
 * Files that one process sends to one merchant at once: enough for a team, and each has one page in hand, so that it also
 * bounds what a merchant makes the services behind the dashboard read.
 */
const MOST_AT_ONCE = 4;
/** Seconds after which a refused member may try again: most files are sent within a few. */
const RETRY_AFTER_SECONDS = 5;

/** Counts the files that are being sent. */
export type Downloads = {
  /**
   * Counts a file of a merchant until its response is over, which aborts `signal`. Throws `rate_limited` when the merchant
   * has too many on their way.
   */
  begin(merchantId: string, signal: AbortSignal): void;
};

/** Returns a count of the files on their way, by merchant. */
export function openDownloads(mostAtOnce = MOST_AT_ONCE): Downloads {
  const onTheirWay = new Map<string, number>();
  const count = (merchantId: string): number => onTheirWay.get(merchantId) ?? 0;
  const end = (merchantId: string): void => {
    const left = count(merchantId) - 1;
    if (left > 0) onTheirWay.set(merchantId, left);
    else onTheirWay.delete(merchantId);
  };
  return {
    begin(merchantId, signal) {
      if (count(merchantId) >= mostAtOnce)
        throw new AppError('rate_limited', {
          message: 'too many downloads at once; wait until one of them has ended',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      // After the reader has gone, nothing would end the count.
      if (signal.aborted) return;
      onTheirWay.set(merchantId, count(merchantId) + 1);
      signal.addEventListener('abort', () => end(merchantId), { once: true });
    },
  };
}
