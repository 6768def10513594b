import { histogram } from './metrics.ts';

/** Often enough that a stall of a second is seen in any case, rare enough that a process at rest stays asleep. */
const EVERY_MS = 500;

const delay = histogram({
  name: 'gp_event_loop_delay_seconds',
  help: 'How late the event loop ran a timer, measured twice a second',
  unit: 'seconds',
});

/** Measures the delay of the event loop from now on; does not keep the process alive. */
export function watchEventLoop(): void {
  let dueAt = performance.now() + EVERY_MS;
  const look = (): void => {
    const now = performance.now();
    delay.observe(Math.max(0, now - dueAt) / 1_000);
    dueAt = now + EVERY_MS;
  };
  setInterval(look, EVERY_MS).unref();
}
