import type { Route } from '@gp/http';
import type { Loop, Service } from '@gp/service';
import type { Logger } from '@gp/telemetry';
import { processNowMs, type VirtualTime } from '../runtime/virtual-time.ts';
import type { Database } from '../store/database.ts';
import type { Process } from './process.ts';
import { runLoop } from './loops.ts';

/** The frame around a simulated process: what its `wire` function serves, consumes and repeats. */
export function buildSimulatedService<C>(o: {
  process: Process;
  time: VirtualTime;
  database: Pick<Database<unknown>, 'hasWorkFor' | 'isStandby' | 'nextDue' | 'onDue'>;
  config: C;
  log: Logger;
  onRoutes: (routes: readonly Route[]) => void;
}): Service<C> {
  const { process, time, database, config, log } = o;
  return {
    name: process.name,
    config,
    log,
    clock: { now: () => new Date(processNowMs()) },
    use: async (opening) => opening,
    ready: () => undefined,
    http(routes) {
      o.onRoutes(routes);
      return Promise.resolve({ port: 0 });
    },
    serve: (bus, contract, handler) => void bus.serve(contract, handler),
    serveBatch: (bus, contract, handler) => void bus.serveBatch(contract, handler),
    consume: (bus, options) => void bus.consume(options),
    loop: (loop: Loop) => runLoop({ process, time, database }, loop),
  };
}
