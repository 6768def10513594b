import { join } from 'node:path';
import { serveControl } from './control.ts';
import { embeddedServers } from './embedded-servers.ts';
import type { Ports } from './ports.ts';
import { buildMerchantsSettings } from './merchants-settings.ts';
import { becomesReady } from './readiness.ts';
import { openReplicas, type StartReplica } from './replicas.ts';
import { newMerchants, seedMerchants, type DemoMerchant } from './seed.ts';
import { openServiceLog } from './service-log.ts';
import { serviceProcess } from './service-process.ts';
import { services } from './services.ts';
import { registerShop, SHOP, shopkeeper, shopProcess } from './shop.ts';
import { readSettings, type Settings } from './settings.ts';
import { stackFile } from './stack-file.ts';
import { awaitPortFree } from './servers/port.ts';
import { prepareStorage } from './storage.ts';
import { superviseProcess, type Supervised } from './supervisor.ts';
import { openTraceSink } from './trace-sink.ts';

export type StackOptions = {
  /** The repository. */
  readonly root: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Called with progress messages for people. */
  readonly say?: (line: string) => void;
  /** Ends a start in progress: the parts it has opened are closed, and it rejects. */
  readonly signal?: AbortSignal;
};

export type Stack = {
  readonly ports: Ports;
  readonly dataDir: string;
  readonly logFile: string;
  readonly merchants: readonly DemoMerchant[];
  readonly processes: ReadonlyMap<string, Supervised>;
  /** Creates more demo merchants with these gateways, for callers that must not share those of this stack. */
  newMerchants(gateways: readonly DemoMerchant['gateway'][]): Promise<DemoMerchant[]>;
  /** Starts any number of replicas of any service except the sandbox. */
  readonly startReplica: StartReplica;
  /** Ends every process, the servers last, and removes `stack.json`. A second call waits for the same end. */
  stop(): Promise<void>;
};

type Closable = { close(): Promise<void> };

/** All start at once: on a busy machine that takes a while. */
const READY_WITHIN_MS = 100_000;

const COLLECTOR = 'OTEL_EXPORTER_OTLP_ENDPOINT';
/** With `GP_TRACES=1` the stack stores its traces itself, unless there is a collector to send them to. */
const wantsTraces = (env: NodeJS.ProcessEnv): boolean =>
  env['GP_TRACES'] === '1' && env[COLLECTOR] === undefined;

/**
 * Starts the whole platform on this machine: servers, schemas, streams, every service as its own process, demo
 * merchants. Resolves when every readiness probe succeeds and `.data/stack.json` is written.
 */
export async function openStack({
  root,
  env = process.env,
  say: print = () => undefined,
  signal,
}: StackOptions): Promise<Stack> {
  const given = await readSettings(root, env);
  const { ports, dataDir } = given;
  /** The start can be aborted between two steps. */
  const say = (line: string) => {
    signal?.throwIfAborted();
    print(line);
  };
  const file = stackFile(dataDir);
  await file.clear();
  await awaitPublishedPorts(ports);
  const logFile = join(dataDir, 'services.log');
  const processes = new Map<string, Supervised>();
  const opened: Closable[] = [];
  const supervise = async (group: readonly Supervised[]) => {
    for (const supervised of group) processes.set(supervised.name, supervised);
    opened.push({ close: async () => void (await Promise.all(group.map((each) => each.stop()))) });
    await Promise.all(group.map((each) => each.start()));
  };
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= closeAll(opened));

  try {
    const log = await openServiceLog(logFile);
    opened.push(log);
    const settings = wantsTraces(env) ? await keepTraces(given, opened) : given;
    const { servers, urls: serverUrls } = embeddedServers(settings);
    await supervise(servers);
    say('servers are up');
    const urls = await prepareStorage(settings, serverUrls);
    say('schemas and streams are in place');
    const watch = { onLine: log.write, onStart: file.refresh };
    const specs = services.map((spec, index) =>
      serviceProcess(spec, settings, { urls, metricsPort: ports.metrics(index) }),
    );
    await supervise(specs.map((spec) => superviseProcess(spec, watch)));
    opened.push(await serveControl(ports.control, processes));
    await Promise.all(
      services.map(({ name }, index) =>
        becomesReady(name, ports.metrics(index), READY_WITHIN_MS, logFile, signal),
      ),
    );
    say('every service is ready');
    const merchants = await seedMerchants(ports, dataDir);
    const keeper = shopkeeper(merchants);
    await registerShop(ports, keeper);
    await supervise([superviseProcess(shopProcess(settings, keeper), watch)]);
    await becomesReady(SHOP, ports.shop, READY_WITHIN_MS, logFile, signal);
    say('the sample shop is open');
    opened.push(file);
    const { operatorKey } = settings.secrets;
    const merchantsSettings = buildMerchantsSettings(settings, urls);
    await file.publish({ ports, merchants, processes, urls, operatorKey, merchantsSettings });
    const replicas = openReplicas({
      ...{ settings, urls, watch, processes, logFile },
      readyWithinMs: READY_WITHIN_MS,
    });
    opened.push(replicas);
    return {
      ...{ ports, dataDir, logFile, merchants, processes, stop },
      startReplica: replicas.start,
      newMerchants: (gateways) => newMerchants(ports, gateways),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Rejects with a sentence that names the port when another program has one that people open; a service would only time out. */
async function awaitPublishedPorts({
  api,
  checkout,
  dashboard,
  shop,
  sandbox,
  control,
}: Ports): Promise<void> {
  const published = { api, checkout, dashboard, 'the sample shop': shop, 'the sandbox': sandbox, control };
  await Promise.all(Object.entries(published).map(([purpose, port]) => awaitPortFree(port, purpose)));
}

/** Stores the traces of every service from now on, all of them by default. */
async function keepTraces(settings: Settings, opened: Closable[]): Promise<Settings> {
  const { ports, dataDir, env } = settings;
  const sink = await openTraceSink(ports.traces, join(dataDir, 'spans.jsonl'));
  opened.push(sink);
  return { ...settings, env: { TRACE_SAMPLE_RATIO: '1', ...env, ...sink.settings } };
}

/**
 * Closes in reverse order of opening. A part that fails to close does not keep the rest from closing, and is
 * reported at the end.
 */
async function closeAll(opened: readonly Closable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of opened.toReversed())
    await resource.close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'the stack did not stop cleanly');
}
