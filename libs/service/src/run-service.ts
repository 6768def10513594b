import { ConfigError, readConfig, type ConfigSchema } from '@gp/config';
import { listKeyFaults } from '@gp/seal';
import { createLogger, metrics, startTelemetry, watchEventLoop } from '@gp/telemetry';
import type { RuntimeConfig } from './base-config.ts';
import { listBusFaults, type BusConfig } from './bus-config.ts';
import { traceBus } from './bus-trace.ts';
import { collectGarbage } from './collect-garbage.ts';
import { traceDatabase } from './database-trace.ts';
import { openManagement } from './management.ts';
import { readiness, type Readiness, type ReadyReport } from './readiness.ts';
import { buildService, type Service } from './service.ts';
import { openShutdown, type Shutdown } from './shutdown.ts';
import type { SealConfig } from './seal-config.ts';
import { endOnSignals } from './signals.ts';
import { listTelemetryFaults, listUnusedVariables, toTelemetrySettings } from './telemetry-config.ts';

/**
 * Runs a service from its configuration to its exit: reads the environment (every fault on stderr and exit 78),
 * starts logs, traces and the management server, lets `wire` open and connect the parts, and stops in order on
 * SIGTERM or SIGINT. A `wire` that fails ends the process with exit 1; a database or bus that is away never
 * does, it only makes the service not ready.
 */
export async function runService<C extends RuntimeConfig>(
  name: string,
  schema: ConfigSchema<C>,
  wire: (service: Service<C>) => Promise<void>,
): Promise<void> {
  const config = configOrExit(name, schema);
  const log = createLogger({ service: name, level: config.logLevel });
  const telemetry = await startTelemetry({ ...toTelemetrySettings(name, config), log });
  const variables = listUnusedVariables(process.env);
  if (variables.length > 0) log.warn({ variables }, 'variables of OpenTelemetry are set that have no effect');
  metrics.registry.setDefaultLabels({ service: name });
  metrics.collectProcessMetrics();
  watchEventLoop();
  traceBus((config as Partial<BusConfig>).natsUrl);
  traceDatabase();

  const shutdown = openShutdown(log);
  const probes = { readiness: readiness(), startup: readiness() };
  const gate = startGate(probes, shutdown);
  const { metricsHost: host, metricsPort: port } = config;
  const management = await openManagement({ host, port, started: gate.started, ready: gate.ready });
  shutdown.resource('management server', management);
  shutdown.resource('telemetry', telemetry);
  const { end } = endOnSignals({
    log,
    stop: () => shutdown.stop(),
    deadlineMs: config.shutdownSeconds * 1_000,
  });

  try {
    await wire(buildService({ name, config, log, shutdown, ...probes }));
    collectGarbage();
    gate.open();
    log.info({ pid: process.pid, port: management.port }, 'started');
  } catch (err) {
    // A stop during the start has closed the parts that `wire` was about to use, and ends the process.
    if (shutdown.isStopping) return;
    log.fatal({ err }, 'could not start');
    await shutdown.stop();
    end(1);
  }
}

type StartGate = { open(): void; started(): Promise<ReadyReport>; ready(): Promise<ReadyReport> };

/**
 * Ready means that this process can take new work now. Started stays true once every probe succeeded, those of
 * the installation included: a stream that vanishes later is no reason for a restart.
 */
function startGate(probes: { readiness: Readiness; startup: Readiness }, shutdown: Shutdown): StartGate {
  let isWired = false;
  let hasStarted = false;
  const ready = async (): Promise<ReadyReport> => {
    if (shutdown.isStopping) return { ready: false, failing: { service: 'stopping' } };
    if (!isWired) return { ready: false, failing: { service: 'starting' } };
    return probes.readiness.check();
  };
  const started = async (): Promise<ReadyReport> => {
    if (hasStarted) return { ready: true, failing: {} };
    const [now, made] = await Promise.all([ready(), probes.startup.check()]);
    hasStarted = now.ready && made.ready;
    return { ready: hasStarted, failing: { ...made.failing, ...now.failing } };
  };
  return { open: () => void (isWired = true), ready, started };
}

function configOrExit<C>(name: string, schema: ConfigSchema<C>): C {
  try {
    const config = readConfig(schema, process.env);
    const faults = [
      ...listBusFaults(config as Partial<BusConfig>),
      ...listKeyFaults(config as Partial<SealConfig>),
      ...listTelemetryFaults(config as RuntimeConfig),
    ];
    if (faults.length > 0) throw new ConfigError(faults);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(error.exitCode);
  }
}
