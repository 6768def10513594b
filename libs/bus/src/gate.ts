import type { BusLog } from './log.ts';
import { between, pause } from './pause.ts';

/**
 * Holds messages back before their handler. It is shut while something the handler needs is unreachable, so that
 * an outage does not count against the messages.
 */
export type Gate = {
  isOpen(): boolean;
  /** Resolves true once messages may pass, false when the consumer is stopping. */
  pass(): Promise<boolean>;
  /** Reports that a handler met an outage; resolves when its message can be tried again. */
  outage(): Promise<void>;
};

/** Without a probe, waits briefly after an outage and then tries again. */
export function openGate(o: {
  healthy: (() => Promise<boolean>) | undefined;
  stopping: AbortSignal;
  onOpen: () => void;
  log: BusLog;
  name: string;
}): Gate {
  let shut: Promise<void> | undefined;
  const isHealthy = async (): Promise<boolean> => {
    try {
      return o.healthy ? await o.healthy() : false;
    } catch {
      return false;
    }
  };
  const waitForHealth = async (): Promise<void> => {
    o.log.warn({ consumer: o.name }, 'pulling pauses: something it needs is unreachable');
    do await pause(between(500, 1_500), o.stopping);
    while (o.healthy && !o.stopping.aborted && !(await isHealthy()));
    shut = undefined;
    o.log.warn({ consumer: o.name }, 'pulling goes on');
    o.onOpen();
  };

  return {
    isOpen: () => shut === undefined,
    async pass() {
      while (shut && !o.stopping.aborted) await shut;
      return !o.stopping.aborted;
    },
    async outage() {
      // When the probe succeeds, only this message is blocked: the others go on.
      if (!shut && (await isHealthy())) return pause(between(500, 1_500), o.stopping);
      shut ??= waitForHealth();
      await shut;
    },
  };
}
