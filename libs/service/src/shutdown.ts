import type { Logger } from '@gp/telemetry';

export type Closable = { close(): Promise<unknown> };

/** Closes everything that a service opened, in two stages; see `stop`. */
export type Shutdown = {
  readonly isStopping: boolean;
  /** Registers a part that takes in work: closed first, all together, each finishing the work in hand. */
  intake(name: string, part: Closable): void;
  /** Registers a part that work needs: closed after all intake, in reverse order of opening. */
  resource(name: string, part: Closable): void;
  /** Stops intake, waits for work in hand, closes resources. A second call waits for the same end. */
  stop(): Promise<void>;
};

type Part = { readonly name: string; readonly part: Closable };

/**
 * Registers closings at the moment of opening, so that the order is always right. A part that fails to close is
 * logged and does not keep the next from closing.
 */
export function openShutdown(log: Logger): Shutdown {
  const intake: Part[] = [];
  const resources: Part[] = [];
  let isStopping = false;
  let stopped: Promise<void> | undefined;

  const close = async ({ name, part }: Part): Promise<void> => {
    try {
      await part.close();
    } catch (err) {
      log.error({ operation: `close ${name}`, err }, 'could not close');
    }
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(intake.map(close));
    for (const part of resources.toReversed()) await close(part);
  };
  // Opened while the service was already stopping: nothing will use it, so it is closed at once.
  const register = (parts: Part[], part: Part) => void (isStopping ? close(part) : parts.push(part));

  return {
    get isStopping() {
      return isStopping;
    },
    intake: (name, part) => register(intake, { name, part }),
    resource: (name, part) => register(resources, { name, part }),
    stop() {
      isStopping = true;
      stopped ??= closeAll();
      return stopped;
    },
  };
}
