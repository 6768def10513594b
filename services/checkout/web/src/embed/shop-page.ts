import type { ToFrame, ToPage } from '../../widget/src/protocol.ts';

export type Session = Extract<ToFrame, { type: 'session' }>;

/** The merchant's page beyond the frame: it provides sessions and receives what happens. */
export type ShopPage = {
  /** Returns the current session; the page sends the first one unasked. Rejects while the page has none. */
  session(): Promise<Session>;
  /** Requests another session; concurrent callers share it. Rejects with the page's reason or a timeout. */
  refresh(): Promise<Session>;
  send(message: ToPage): void;
};

/** The timeout for a merchant's backend, long because a backend may be slow. */
const PATIENCE_MS = 30_000;

/** Returns the page at the other end of a channel, whose origin has been checked. */
export function connectShopPage(port: MessagePort, patienceMs = PATIENCE_MS): ShopPage {
  let current: Session | undefined;
  let awaited: ReturnType<typeof expect> | undefined = expect(patienceMs);
  let latest: Promise<Session> = awaited.promise;

  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    const waiting = awaited;
    awaited = undefined;
    if (data.type === 'no-session') return waiting?.reject(new Error(data.message));
    if (current && current.groupPaymentId !== data.groupPaymentId)
      return waiting?.reject(new Error('createSession gave a session of another group payment'));
    current = data;
    latest = Promise.resolve(data);
    waiting?.resolve(data);
  };
  const send = (message: ToPage): void => port.postMessage(message);
  return {
    session: () => latest,
    refresh() {
      if (!awaited) {
        const waiting = expect(patienceMs);
        void waiting.promise.catch(() => awaited === waiting && (awaited = undefined));
        awaited = waiting;
        if (!current) latest = waiting.promise;
        send({ type: 'refresh' });
      }
      return awaited.promise;
    },
    send,
  };
}

function expect(patienceMs: number) {
  let resolve!: (session: Session) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<Session>((...settle) => ([resolve, reject] = settle));
  const late = setTimeout(() => reject(new Error('createSession did not answer')), patienceMs);
  const done = (): void => clearTimeout(late);
  promise.then(done, done);
  return { promise, resolve, reject };
}
