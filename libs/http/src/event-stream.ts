import type { HttpResponse } from './types.ts';

/** Returns the response that sends messages as a stream of server-sent events, each as soon as it is produced. */
export function eventStream<M>(messages: AsyncIterable<M>, format: (message: M) => string): HttpResponse {
  return {
    status: 200,
    // Stops proxies from buffering the stream.
    headers: { 'X-Accel-Buffering': 'no' },
    contentType: 'text/event-stream; charset=utf-8',
    body: formatEach(messages, format),
  };
}

async function* formatEach<M>(
  messages: AsyncIterable<M>,
  format: (message: M) => string,
): AsyncGenerator<string> {
  for await (const message of messages) yield format(message);
}

/** Formats a server-sent event; a reader that connects again sends the last `id` as `Last-Event-ID`. */
export function formatEvent(name: string, data: object, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/**
 * The waits of a stream's producer. Nothing is queued: who is woken looks at what there is to send, and many wakes
 * before the look count once.
 */
export type Pulse = {
  /** Ends the wait that runs, or the next one. */
  readonly wake: () => void;
  /** Waits for a wake; resolves with true when the interval of heartbeats has passed without one. */
  silence(): Promise<boolean>;
  /** Ends the wait that runs, and every later one at once. */
  close(): void;
  readonly isClosed: boolean;
};

/** Opens the pulse of one stream; `close` ends its timer. */
export function openPulse(heartbeatMs: number): Pulse {
  let isAwake = false;
  let isClosed = false;
  let beating: NodeJS.Timeout | undefined;
  let stopWaiting: () => void = () => undefined;
  return {
    wake() {
      isAwake = true;
      stopWaiting();
    },
    async silence() {
      const isSilent = await new Promise<boolean>((resolve) => {
        stopWaiting = () => resolve(false);
        if (isAwake || isClosed) return resolve(false);
        beating = setTimeout(() => resolve(true), heartbeatMs);
      });
      clearTimeout(beating);
      isAwake = false;
      return isSilent;
    },
    close() {
      isClosed = true;
      clearTimeout(beating);
      stopWaiting();
    },
    get isClosed() {
      return isClosed;
    },
  };
}
