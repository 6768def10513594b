import { Agent } from '@gp/bundled/undici';
import type { AddressPolicy } from './address.ts';
import { guardedConnector } from './connect.ts';
import { DeadlineExceeded, exchange, type Posted } from './exchange.ts';
import { guardedResolver, type Resolve } from './resolve.ts';

export type PosterOptions = {
  readonly policy: AddressPolicy;
  /** From the first question to the name service to the last byte of the answer's body, ms. */
  readonly deadlineMs: number;
  readonly connectTimeoutMs: number;
  readonly resolve?: Resolve;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
};

export type Poster = {
  /** Sends once; never rejects, what went wrong is the result. */
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<Posted>;
  close(): Promise<void>;
};

/** Endpoints of many merchants may live at one origin; each of them is held to its own lane's cap as well. */
const CONNECTIONS_PER_ORIGIN = 32;
/** An idle connection is worth keeping while a group's events follow each other, and not for long after. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 30_000;

/** Opens an HTTP client that follows no redirect, reads no proxy settings and gives receivers little power over us. */
export function openPoster(o: PosterOptions): Poster {
  const resolve = o.resolve ?? guardedResolver(o.policy);
  const { policy, connectTimeoutMs: timeoutMs, ca } = o;
  const agent = new Agent({
    connect: guardedConnector({ policy, resolve, timeoutMs, ...(ca !== undefined && { ca }) }),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    // The deadline is ours and covers everything; undici's own timers would only cut its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async post(url, headers, body) {
      const startedAt = performance.now();
      const target = new URL(url);
      // An open connection was vetted when it was made; the name's present addresses are checked here.
      const refusal = await findRefusal(resolve(target.hostname), o.deadlineMs);
      if (refusal) return unsent(refusal, startedAt);
      const request = { agent, target, headers, body, startedAt, deadlineMs: o.deadlineMs };
      const first = await exchange(request);
      // A kept connection that the receiver had already closed is no failure of the receiver.
      return first.isStale ? exchange(request) : first;
    },
    close: () => agent.destroy(),
  };
}

/** Returns why the name may not be called now; the wait for a silent name server ends with the deadline. */
async function findRefusal(resolving: Promise<unknown>, deadlineMs: number): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new DeadlineExceeded()), deadlineMs);
  });
  const asked = resolving.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const refusal = await Promise.race([asked, late]);
  clearTimeout(timer);
  return refusal;
}

function unsent(error: Error, startedAt: number): Posted {
  const timings = { firstByteMs: null, totalMs: performance.now() - startedAt };
  return { remoteAddress: null, timings, result: { error } };
}
