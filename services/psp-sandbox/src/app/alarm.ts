/** Wakes the loops when something falls due; each loop then reads itself what is due. */
export type Alarm = {
  ringAt(at: Date): void;
  onRing(wake: () => void): void;
  close(): Promise<void>;
};

/** The loops' own regular check finds what is due later than this. */
const FAR_MS = 30_000;

export function openAlarm(clock: () => Date): Alarm {
  const sleepers: (() => void)[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const ring = () => sleepers.forEach((wake) => wake());
  return {
    ringAt(at) {
      const ms = at.getTime() - clock().getTime();
      if (ms <= 0) return ring();
      if (ms > FAR_MS) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        ring();
      }, ms);
      timers.add(timer);
    },
    onRing: (wake) => void sleepers.push(wake),
    close() {
      timers.forEach((timer) => clearTimeout(timer));
      return Promise.resolve();
    },
  };
}
