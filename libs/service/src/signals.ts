import type { Logger } from '@gp/telemetry';

/**
 * Ends the process cleanly: the first SIGTERM or SIGINT runs `stop` and exits 0, or 1 when it took longer than
 * `deadlineMs`; a second one exits at once. An uncaught failure is logged and exits 1, because the state it left
 * behind is not known.
 */
export function endOnSignals(o: {
  log: Logger;
  stop: () => Promise<unknown>;
  deadlineMs: number;
  exit?: (code: number) => void;
}): { end(code: number): void } {
  const { log, deadlineMs, exit = (code: number) => process.exit(code) } = o;
  let isStopping = false;

  const end = (code: number) => {
    void log.close().finally(() => exit(code));
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) {
      log.warn({ signal }, 'second signal, exiting at once');
      return end(1);
    }
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('could not stop in time, exiting');
      end(1);
    }, deadlineMs).unref();
    o.stop().then(
      () => {
        log.info('stopped');
        end(0);
      },
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        end(1);
      },
    );
  };
  const onUncaught = (err: unknown) => {
    log.fatal({ err }, 'failure that nothing caught, exiting');
    end(1);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  return { end };
}
