/** Rings when something falls due; whoever looks for due things is woken, and looks for himself. */
export type Alarm = {
  ringAt(at: Date): void;
  onRing(wake: () => void): void;
  close(): Promise<void>;
};

/** What is due later than this is found by the loops' own regular look. */
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
