import type { BatchHandler, Bus, CallContext, ConsumeOptions } from '@gp/bus';
import type { BatchContract, RpcContract } from '@gp/contracts';
import type { Route } from '@gp/http';
import type { Logger } from '@gp/telemetry';
import { awaitFirstAnswer } from './first-answer.ts';
import { consumeLogged, serveBatchLogged, serveLogged } from './bus-intake.ts';
import { systemClock, type Clock } from './clock.ts';
import { measureConsumers } from './consumer-lag.ts';
import { observing, type HttpOptions } from './http-intake.ts';
import { runLoop, type Loop } from './loop.ts';
import type { Probe, Readiness } from './readiness.ts';
import type { Shutdown } from './shutdown.ts';

/** A part that is opened once and closed at the end, and may report whether it is usable. */
export type Resource = {
  close(): Promise<void>;
  ping?(): Promise<void>;
  isConnected?(): boolean;
  lags?(): Promise<readonly { readonly durable: string; readonly messages: number }[]>;
  hasStreams?(): Promise<boolean>;
};

/** The service that `main.ts` wires: everything opened through it is watched, and closed in order. */
export interface Service<C> {
  readonly name: string;
  readonly config: C;
  readonly log: Logger;
  readonly clock: Clock;
  /**
   * Waits for an opening and registers its closing, in reverse order. A part with `ping` (a database) or
   * `isConnected` (the bus) becomes a readiness probe by itself, one with `hasStreams` a startup probe, too; one
   * with `lags` is measured. A database is waited for until it has answered once, ten seconds at most.
   */
  use<T extends Resource>(opening: Promise<T> | T): Promise<T>;
  /** Makes readiness depend on one more condition. */
  ready(name: string, probe: Probe): void;
  /** Serves routes over HTTP, each request traced, measured and logged; resolves when it listens. */
  http(routes: readonly Route[], options: HttpOptions): Promise<{ readonly port: number }>;
  /** Serves calls over the bus; see Bus.serve. */
  serve<Req, Res>(
    bus: Bus,
    contract: RpcContract<Req, Res>,
    handler: (request: Req, ctx: CallContext) => Promise<Res>,
    options?: { concurrency?: number },
  ): void;
  /** Serves coalesced commands over the bus; see Bus.serveBatch. */
  serveBatch<Cmd, Res>(
    bus: Bus,
    contract: BatchContract<Cmd, Res>,
    handler: BatchHandler<Cmd, Res>,
    options?: { concurrency?: number },
  ): void;
  /** Processes a durable consumer's messages; see Bus.consume. */
  consume(bus: Bus, options: ConsumeOptions): void;
  /** Repeats a pass until the service stops. */
  loop(loop: Loop): void;
}

/** Longer than the longest handler (a refund's 20 s), shorter than the process' own deadline. */
const drainMs = 22_000;

/** Requests that come at once need more than one connection, and one that opens while all pods start takes seconds. */
const FIRST_CONNECTIONS = 2;

/** Builds the Service for a `wire` function, over the parts that `runService` runs. */
export function buildService<C>(o: {
  name: string;
  config: C;
  log: Logger;
  shutdown: Shutdown;
  readiness: Readiness;
  startup: Readiness;
}): Service<C> {
  const { name, config, log, shutdown, readiness, startup } = o;
  return {
    name,
    config,
    log,
    clock: systemClock,
    async use(opening) {
      const resource = await opening;
      const kind = classifyResource(resource);
      shutdown.resource(kind, resource);
      if (resource.lags !== undefined) measureConsumers(resource.lags);
      if (resource.ping !== undefined) {
        readiness.add(kind, () => resource.ping?.());
        await awaitFirstAnswer(async () => {
          await Promise.all(
            Array.from({ length: FIRST_CONNECTIONS }, () => resource.ping?.() ?? Promise.resolve()),
          );
        });
      } else if (resource.isConnected !== undefined) readiness.add(kind, () => resource.isConnected?.());
      if (resource.hasStreams !== undefined) startup.add('streams', () => resource.hasStreams?.());
      return resource;
    },
    ready: (probeName, probe) => readiness.add(probeName, probe),
    async http(routes, options) {
      const { port, host = '127.0.0.1', trustTraceparent = false, around, ...appOptions } = options;
      // Loaded here: half of the services use only the bus, and Express costs memory.
      const { createHttpApp, listen } = await import('@gp/http');
      const observed = observing(log, { trustTraceparent, ...(around && { around }) });
      const app = createHttpApp({ ...appOptions, routes, around: observed });
      const onAcceptError = (err: Error) => log.error({ err }, 'could not accept a connection');
      const server = await listen(app, { host, port, onAcceptError });
      shutdown.intake('http', { close: () => server.close(drainMs) });
      log.info({ port: server.port, host }, 'listening for HTTP');
      return { port: server.port };
    },
    serve: (bus, contract, handler, options) =>
      shutdown.intake(
        contract.subject,
        serveLogged({ bus, log, ...(options && { options }) }, contract, handler),
      ),
    serveBatch: (bus, contract, handler, options) =>
      shutdown.intake(
        contract.subject,
        serveBatchLogged({ bus, log, ...(options && { options }) }, contract, handler),
      ),
    consume: (bus, options) => shutdown.intake(options.durable, consumeLogged({ bus, log }, options)),
    loop: (loop) => shutdown.intake(loop.name, runLoop(loop, log)),
  };
}

function classifyResource(resource: Resource): string {
  if (resource.ping !== undefined) return 'postgres';
  return resource.isConnected !== undefined ? 'nats' : 'resource';
}
