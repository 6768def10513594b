import type { PspCode } from '@gp/gateway-registry';
import type { PassResult } from '@gp/service';
import type { Logger } from '@gp/telemetry';
import type { PlayedGateway } from './gateway.ts';
import type { Accounts, DueCallback } from './ports.ts';

/** The durable queue of callbacks. */
export interface CallbackQueue {
  takeDue(limit: number): Promise<DueCallback[]>;
  settle(id: string, state: 'delivered' | 'abandoned' | 'due', dueAt: Date | null): Promise<void>;
  /** Releases callbacks that were held back until this one had arrived. */
  letHeldGo(after: DueCallback): Promise<void>;
}

/** Posts a body; resolves with the status, rejects when no response came in time. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>;

export type SendCallbacksDeps = {
  readonly queue: CallbackQueue;
  readonly accounts: Accounts;
  readonly gateways: ReadonlyMap<PspCode, PlayedGateway>;
  readonly post: Post;
  readonly clock: () => Date;
  readonly log: Logger;
};

const BATCH = 64;
/** Fast at first, since a receiver that restarts is back within seconds; then once a minute. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
/** About three hours: longer than any receiver of a test is unavailable. */
const MAX_ATTEMPTS = 190;

/** Sends the callbacks that are due, one after the other for each payment, and records the result of each send. */
export function sendCallbacks({ queue, accounts, gateways, post, clock, log }: SendCallbacksDeps) {
  return async (): Promise<PassResult> => {
    const due = await queue.takeDue(BATCH);
    const byPayment = Map.groupBy(due, ({ pspReference }) => pspReference);
    await Promise.all(
      [...byPayment.values()].map(async (callbacks) => {
        for (const callback of callbacks) await send(callback);
      }),
    );
    return due.length > 0 ? 'busy' : 'empty';
  };

  async function send(callback: DueCallback): Promise<void> {
    const gateway = gateways.get(callback.gateway);
    const endpoint = gateway?.findEndpoint
      ? await gateway.findEndpoint(callback)
      : await accounts.findEndpoint(callback.gateway, callback.account);
    if (endpoint === undefined) return queue.settle(callback.id, 'abandoned', null);
    const isArrived = await attempt(callback, endpoint);
    const mayTryAgain = gateway?.resendsCallbacks === true && callback.attempts < MAX_ATTEMPTS;
    const { gateway: psp_code, pspReference: psp_reference, attempts: attempt_no } = callback;
    const outcome = isArrived ? 'delivered' : 'not delivered';
    log.debug(
      { psp_code, psp_reference, event_id: callback.id, attempt: attempt_no, outcome },
      'callback sent',
    );
    if (isArrived) {
      await queue.settle(callback.id, 'delivered', null);
      await queue.letHeldGo(callback);
    } else if (!mayTryAgain) {
      await queue.settle(callback.id, 'abandoned', null);
    } else {
      await queue.settle(callback.id, 'due', new Date(clock().getTime() + retryMs(callback.attempts)));
    }
  }

  /** Returns true when the receiver has acknowledged it. */
  async function attempt(callback: DueCallback, endpoint: { url: string; secret: string }): Promise<boolean> {
    const { body, gateway, fault } = callback;
    const deliver = async (damage = (text: string) => text): Promise<boolean> => {
      const request = gateways.get(gateway)?.buildRequest(body, endpoint.secret, clock());
      if (request === undefined) return false;
      const status = await post(endpoint.url, request.headers, damage(request.body)).catch(() => 0);
      return status >= 200 && status < 300;
    };
    switch (fault) {
      case 'drop_request':
      case 'http_500':
      case 'rate_limit':
      case 'timeout':
        return false;
      case 'drop_response':
      case 'http_500_after_effect':
      case 'timeout_after_effect':
        await deliver();
        return false;
      case 'malformed':
        await deliver((text) => text.slice(0, Math.ceil(text.length / 2)));
        return false;
      case 'duplicate':
        await deliver();
        return deliver();
      default:
        return deliver();
    }
  }
}

const retryMs = (attempts: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
