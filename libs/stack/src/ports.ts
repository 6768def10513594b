/** Every address of one embedded stack, derived from one number so that two stacks can run side by side. */
export type Ports = ReturnType<typeof portsFrom>;

const DEFAULT_BASE = 8080;
/** Offsets that give the published default addresses (8080, 8090, 9101, 10222, 10432 …). */
const METRICS_OFFSET = 1021;
/** Where further replicas listen, and how many there can be: ranges of 100 ports lie side by side. */
const REPLICAS_OFFSET = 60;
const REPLICAS_METRICS_OFFSET = 1080;
export const MOST_REPLICAS = 18;

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
    sandboxGatewayA: base + 11,
    sandboxRelay: base + 12,
    callbacksA: base + 13,
    callbacksB: base + 14,
    callbacksC: base + 15,
    control: base + 19,
    traces: base + 20,
    nats: base + 2142,
    postgres: base + 2352,
    metrics: (index: number) => base + METRICS_OFFSET + index,
    replica: (index: number) => ({
      http: base + REPLICAS_OFFSET + index,
      metrics: base + REPLICAS_METRICS_OFFSET + index,
    }),
  };
}
