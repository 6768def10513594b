import { dueAnnouncement } from '../clock/countdown.ts';
import type { MessageKey } from '../i18n/en.ts';
import type { Live } from '../net/picture.ts';
import { writeProgress } from '../slots/progress.ts';
import type { Context } from './context.ts';
import { settle } from './notices.ts';

const TICK_MS = 250;

/** Advances the clocks and announces the remaining time at its thresholds. Returns a function that stops it. */
export function watchClocks({ model, clock, t }: Context): () => void {
  const announce = (key: MessageKey, due: number): void => {
    model.spoken.value = t(key, { time: t(`left${due / 1_000}` as MessageKey) });
  };
  let group = model.groupLeftMs.value;
  let mine = model.reservedMs.value;
  const tick = (): void => {
    // The current time is rounded up to whole seconds, so that the page never shows more time than is left.
    const second = Math.ceil(clock.now() / 1_000) * 1_000;
    if (second === model.now.value) return;
    model.now.value = second;
    const groupDue = model.awaitsPayers.value ? dueAnnouncement(group, model.groupLeftMs.value) : undefined;
    if (groupDue !== undefined) announce('groupEnds', groupDue);
    const left = model.reservedMs.value;
    const mineDue = mine !== undefined && left !== undefined ? dueAnnouncement(mine, left) : undefined;
    if (mineDue !== undefined && model.step.value === 'card') announce('reservationEnds', mineDue);
    group = model.groupLeftMs.value;
    mine = left;
  };
  tick();
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}

/** Applies a picture of the group from the server, and announces what concerns this payer. */
export function applyPicture(context: Context, live: Live): void {
  const { model, t } = context;
  const before = model.secured.value.length;
  model.live.value = live;
  context.followOwnShares?.();
  if (model.step.value === 'choose') settle(context);
  const now = model.secured.value.length;
  if (now > before && model.notice.value?.kind !== 'lost') model.spoken.value = writeProgress(t, model);
}
