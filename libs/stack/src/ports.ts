import { forEachGateway, listSandboxPorts, pspCodes, type PspCode } from '@gp/gateway-registry';

/** Every address of one embedded stack, derived from one number so that two stacks can run side by side. */
export type Ports = ReturnType<typeof portsFrom>;

const DEFAULT_BASE = 8080;
const CONTROL_OFFSET = 19;
const TRACES_OFFSET = 20;
/** Offsets that give the published default addresses (8080, 8090, 9101, 10222, 10432 …). */
const METRICS_OFFSET = 1021;
/** The first port of further replicas, and their largest number: ranges of 100 ports lie side by side. */
const REPLICAS_OFFSET = 60;
const REPLICAS_METRICS_OFFSET = 1080;
export const MOST_REPLICAS = 18;

const CALLBACKS_OFFSET = 13;
/** Offsets in the callbacks' range that other listeners use. */
const TAKEN = [CONTROL_OFFSET, TRACES_OFFSET];

function callbackPorts(base: number): Readonly<Record<PspCode, number>> {
  const offsets = Array.from(
    { length: REPLICAS_OFFSET - CALLBACKS_OFFSET },
    (_, index) => CALLBACKS_OFFSET + index,
  );
  const free = offsets.filter((offset) => !TAKEN.includes(offset));
  return forEachGateway((_manifest, code) => base + (free[pspCodes.indexOf(code)] ?? NaN));
}

export function portsFrom(env: NodeJS.ProcessEnv = process.env) {
  const base = env['GP_PORT_BASE'] === undefined ? DEFAULT_BASE : Number(env['GP_PORT_BASE']);
  if (!Number.isInteger(base) || base < 1024 || base > 30_000)
    throw new Error('GP_PORT_BASE must be a whole number from 1024 to 30000');
  return {
    api: base,
    checkout: base + 1,
    dashboard: base + 2,
    shop: base + 3,
    sandbox: base + 10,
    /** Further ports of the sandbox, by their names in the manifests. */
    sandboxPorts: Object.fromEntries(
      listSandboxPorts().map(({ name, number }) => [name, base + number - DEFAULT_BASE]),
    ),
    /** The port of each adapter for callbacks. */
    callbacks: callbackPorts(base),
    control: base + CONTROL_OFFSET,
    traces: base + TRACES_OFFSET,
    nats: base + 2142,
    postgres: base + 2352,
    metrics: (index: number) => base + METRICS_OFFSET + index,
    replica: (index: number) => ({
      http: base + REPLICAS_OFFSET + index,
      metrics: base + REPLICAS_METRICS_OFFSET + index,
    }),
  };
}
