import { serverClock } from '../clock/server-clock.ts';
import { followConnection } from '../flow/follow-connection.ts';
import { keepLive } from '../net/live.ts';
import { writeProgress } from '../slots/progress.ts';
import { followRemindable } from './follow-remindable.ts';
import type { OrganiserModel, OrganiserTranslate } from './model.ts';

const TICK_MS = 250;

/** Starts the clock and the live stream of the organiser's page. Returns a function that stops them. */
export function startOrganiser(o: {
  model: OrganiserModel;
  t: OrganiserTranslate;
  /** Opens the page again: its link was replaced. */
  reopen: () => void;
}): () => void {
  const { model, t } = o;
  const { path, server_time } = model.bootstrap;
  const clock = serverClock(Date.parse(server_time));
  const ended = new AbortController();
  const { signal } = ended;
  const tick = (): void => void (model.now.value = Math.ceil(clock.now() / 1_000) * 1_000);
  model.isRunning.value = true;
  tick();
  const timer = setInterval(tick, TICK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  followRemindable(model, signal);
  forgetFailure(model);
  const url = `${path}/events`;
  void keepLive(
    {
      url,
      tokens: {
        token: () => '',
        refreshToken: () => isLinkGood(path).then((isGood) => (isGood ? '' : lost(o.reopen))),
      },
      known: model.live.value,
      updates: {
        picture(live) {
          const before = model.secured.value.length;
          model.live.value = live;
          if (model.secured.value.length > before) model.spoken.value = writeProgress(t, model);
        },
        serverTime: clock.synchronise,
        connected: followConnection(model, signal),
      },
    },
    signal,
  );
  return () => ended.abort();
}

/** What failed while the connection was lost is not said any more once it is back: the organiser may try again. */
function forgetFailure({ isStale, told }: OrganiserModel): void {
  isStale.subscribe((isLost) => {
    if (!isLost && told.peek()?.isGood === false) told.value = null;
  });
}

function lost(reopen: () => void): never {
  reopen();
  throw new Error('the link was replaced');
}

/** Returns false only when the server says that the link leads nowhere. */
async function isLinkGood(path: string): Promise<boolean> {
  const headers = { Accept: 'application/json' };
  const { status } = await fetch(`${path}/events`, {
    headers,
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  });
  return status !== 404;
}
