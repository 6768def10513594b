import type { ChangedEvent, ReadyEvent } from '../../../src/http/api.ts';

/** The part of the browser's EventSource that is needed here. */
export type Source = Pick<EventTarget, 'addEventListener'> & {
  readonly readyState: number;
  close(): void;
};

export type FollowOptions = {
  readonly open: () => Source;
  /** Called with the ids of group payments that have changed. */
  readonly onChanged: (ids: readonly string[]) => void;
  /** Called when anything may have changed. `isShared`: many pages learn it at this moment, after a restart for example. */
  readonly onMissed: (o: { readonly isShared: boolean }) => void;
  /** Called when the server has refused or ended the stream: the session may be over. */
  readonly onRefused: () => void;
  /** Called with true when there was no stream for long, and with false when there is one again. */
  readonly onLost: (isLost: boolean) => void;
};

export type Following = {
  /** Opens a stream now, unless there is one; also ends the pause before the next try. */
  resume(): void;
  /** Closes the stream. `hasUnloaded`: changes that were announced before are not shown yet. */
  pause(o: { readonly hasUnloaded: boolean }): void;
};

/** A stream that is silent for longer is dead: heartbeats come every 20 s. */
const SILENCE_MS = 45_000;
/** A page without a stream for so long says so. */
const LOST_MS = 30_000;
/** The time that an announcement is on its way at most: one that was sent when the stream was lost counts as missed. */
const MARGIN_MS = 5_000;
const FIRST_PAUSE_MS = 4_000;
const LONGEST_PAUSE_MS = 30_000;
/** `EventSource.CLOSED`: the answer was no stream. After a lost connection the state is another one. */
const CLOSED = 2;

/**
 * Follows the changes that a stream announces, and opens another one after it was lost, with growing pauses. After a
 * gap in which something changed, `onMissed` is called; what the page loaded before this call counts as older than the gap.
 */
export function followChanges(o: FollowOptions): Following {
  let source: Source | undefined;
  let failures = 0;
  /** Up to then nothing was missed; a page opens its stream while it loads what it shows first. */
  let knownUntil = Date.now();
  const timers: Partial<Record<'again' | 'silence' | 'lost', ReturnType<typeof setTimeout>>> = {};

  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(timers.again);
    clearTimeout(timers.silence);
  };
  const lose = (isRefused: boolean): void => {
    close();
    failures += 1;
    timers.lost ??= setTimeout(() => o.onLost(true), LOST_MS);
    timers.again = setTimeout(connect, backoffMs(failures));
    if (isRefused) o.onRefused();
  };
  const hear = (): void => {
    knownUntil = Date.now();
    clearTimeout(timers.silence);
    timers.silence = setTimeout(() => lose(false), SILENCE_MS);
  };
  const begin = ({ quiet_ms }: ReadyEvent): void => {
    const gapMs = Date.now() - knownUntil;
    const isShared = failures > 0;
    failures = 0;
    clearTimeout(timers.lost);
    delete timers.lost;
    o.onLost(false);
    if (quiet_ms < gapMs + MARGIN_MS) o.onMissed({ isShared });
  };
  const connect = (): void => {
    close();
    const opened = o.open();
    source = opened;
    const on = (name: string, take: (data: unknown) => void): void =>
      opened.addEventListener(name, (event) => {
        if (opened !== source) return;
        take(JSON.parse((event as MessageEvent<string>).data));
        if (opened === source) hear();
      });
    timers.silence = setTimeout(() => lose(false), SILENCE_MS);
    on('ready', (data) => begin(data as ReadyEvent));
    on('changed', (data) => o.onChanged((data as ChangedEvent).group_payments));
    on('missed', () => o.onMissed({ isShared: true }));
    on('heartbeat', () => undefined);
    on('end', () => lose(true));
    opened.addEventListener('error', () => {
      if (opened === source) lose(opened.readyState === CLOSED);
    });
  };

  return {
    resume() {
      failures = 0;
      if (!source) connect();
    },
    pause({ hasUnloaded }) {
      close();
      clearTimeout(timers.lost);
      delete timers.lost;
      if (hasUnloaded) knownUntil = 0;
    },
  };
}

/** Three quarters of it at random: the pages of a restarted server come back over three seconds and not at once. */
function backoffMs(failures: number): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  return full / 4 + ((full * 3) / 4) * Math.random();
}
