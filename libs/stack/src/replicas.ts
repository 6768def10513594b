import { MOST_REPLICAS } from './ports.ts';
import { becomesReady } from './readiness.ts';
import { serviceProcess } from './service-process.ts';
import { services } from './services.ts';
import type { Settings, Urls } from './settings.ts';
import { superviseProcess, type Supervised, type SuperviseOptions } from './supervisor.ts';

/** One more process of a service, on its own ports; stopped and killed like any other. */
export type Replica = Supervised & {
  /** Its HTTP port, if its service has one. */
  readonly httpPort: number;
  /** The port of its probes and metrics. */
  readonly metricsPort: number;
};

/** Starts one more replica of a service, with `env` added to its environment, and resolves when it is ready. */
export type StartReplica = (service: string, env?: NodeJS.ProcessEnv) => Promise<Replica>;

/** Replicas beside the first process of each service; they are named after it and listed among the processes. */
export function openReplicas(o: {
  settings: Settings;
  urls: Urls;
  watch: SuperviseOptions;
  processes: Map<string, Supervised>;
  readyWithinMs: number;
  logFile: string;
}): { readonly start: StartReplica; close(): Promise<void> } {
  const { settings, urls, watch } = o;
  const replicas: Supervised[] = [];
  return {
    async start(service, added = {}) {
      const spec = services.find(({ name }) => name === service);
      if (!spec) throw new Error(`there is no service ${service}`);
      if (replicas.length === MOST_REPLICAS) throw new Error(`no ports are left for a replica of ${service}`);
      const ports = settings.ports.replica(replicas.length);
      const first = serviceProcess(spec, settings, { urls, metricsPort: ports.metrics });
      const name = `${service}-r${replicas.length + 1}`;
      const env = { ...first.env, ...(first.env['PORT'] && { PORT: String(ports.http) }), ...added };
      const replica = superviseProcess({ ...first, name, env }, watch);
      replicas.push(replica);
      o.processes.set(name, replica);
      await replica.start();
      await becomesReady(service, ports.metrics, o.readyWithinMs, o.logFile);
      return { ...replica, httpPort: ports.http, metricsPort: ports.metrics };
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
  };
}
