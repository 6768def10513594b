import { currentTime, processNowMs, type Scheduled } from './virtual-time.ts';

const RealDate = Date;
const timeIsUp = new DOMException('The time is up', 'TimeoutError');

/** Makes the clocks, timers and chance of this JavaScript process those of the simulated world that runs. */
export function replaceGlobals(): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(processNowMs());
      else super(given[0]);
    }
    static override now(): number {
      return processNowMs();
    }
  } as DateConstructor;
  // A monotonic clock never jumps.
  performance.now = () => currentTime().nowMs;
  Math.random = () => currentTime().random.next();
  Object.assign(globalThis, { setTimeout: startTimer, setInterval: startInterval });
  Object.assign(globalThis, { clearTimeout: stopTimer, clearInterval: stopTimer });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    startTimer(() => controller.abort(timeIsUp), ms);
    return controller.signal;
  };
}

class Timer {
  scheduled: Scheduled | undefined;
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
}

function startTimer(run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): Timer {
  const time = currentTime();
  const timer = new Timer();
  timer.scheduled = time.after(ms, time.owner, () => run(...given));
  return timer;
}

function startInterval(run: () => void, ms = 0): Timer {
  const time = currentTime();
  const { owner } = time;
  const timer = new Timer();
  const again = (): void => {
    timer.scheduled = time.after(Math.max(1, ms), owner, again);
    run();
  };
  timer.scheduled = time.after(Math.max(1, ms), owner, again);
  return timer;
}

function stopTimer(timer: Timer | undefined): void {
  if (timer?.scheduled) timer.scheduled.isCancelled = true;
}
