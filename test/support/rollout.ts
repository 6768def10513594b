import { setTimeout as delay } from 'node:timers/promises';
import { findManifest, toProcessName, pspCodes } from '@gp/gateway-registry';
import { services as specs } from '@gp/stack';
import { openBalancer, type Backend, type Balancer } from './balancer.ts';
import { openDashboard } from './dashboard.ts';
import type { OwnStack } from './own-stack.ts';
import { send } from './api.ts';
import type { Merchant, StackFile } from './stack.ts';

/** Replaces services of a stack one process after the other, as Deployments do, behind one address for each. */
export type Rollout = {
  /** The stack under the addresses of the fronts, whichever process serves them. */
  readonly stack: StackFile;
  /** Where the outside reaches a service that speaks HTTP. */
  url(service: string): string;
  /**
   * Starts a second process of the service and waits until it is ready; then the first gets no new connections, a moment
   * for the change to spread (`preStop`), and SIGTERM. Resolves when it has ended by itself.
   */
  roll(service: string): Promise<void>;
  close(): Promise<void>;
};

/** The adapters through which payers return from the gateway's page. */
const returnsTo = pspCodes.filter((code) => findManifest(code).hasReturns).map(toProcessName);

const PRE_STOP_MS = 1_000;

type Serving = Backend & { stop(): Promise<void> };

export async function openRollout({ opened, stack }: OwnStack): Promise<Rollout> {
  const { ports, processes } = opened;
  const httpPorts: Readonly<Record<string, number>> = {
    'api-gateway': ports.api,
    checkout: ports.checkout,
    'merchant-dashboard': ports.dashboard,
    ...Object.fromEntries(Object.entries(ports.callbacks).map(([code, port]) => [toProcessName(code), port])),
  };
  const fronts = new Map<string, Balancer>();
  const serving = new Map<string, Serving>();
  for (const [index, { name }] of specs.entries()) {
    const first = processes.get(name);
    if (!first) throw new Error(`no process ${name}`);
    const httpPort = httpPorts[name];
    serving.set(name, { ...first, httpPort: httpPort ?? 0, metricsPort: ports.metrics(index) });
    if (httpPort !== undefined) fronts.set(name, await openBalancer());
  }
  for (const [name, front] of fronts) front.add(serving.get(name) as Serving);

  const url = (service: string): string => fronts.get(service)?.url ?? '';
  return {
    stack: {
      ...stack,
      api: url('api-gateway'),
      checkout: url('checkout'),
      dashboard: url('merchant-dashboard'),
    },
    url,
    async roll(service) {
      const old = serving.get(service);
      if (!old) throw new Error(`no service ${service}`);
      // Payers return to an address of the installation, not of a process.
      const env = returnsTo.includes(service) ? { PUBLIC_URL: url(service) } : {};
      const next = await opened.startReplica(service, env);
      serving.set(service, next);
      fronts.get(service)?.add(next);
      fronts.get(service)?.drop(old);
      await delay(PRE_STOP_MS);
      await old.stop();
    },
    async close() {
      await Promise.all([...fronts.values()].map((front) => front.close()));
    },
  };
}

/** Connects the merchant to gateways of the sandbox that call back at the rollout's addresses. */
export async function connectGateways(
  { stack, url }: Rollout,
  merchant: Merchant,
  gateways: readonly string[],
): Promise<void> {
  const dashboard = await openDashboard(stack, merchant);
  for (const psp_code of gateways) {
    const webhook_url = `${url(toProcessName(psp_code))}/callbacks/${psp_code}`;
    const account = { name: merchant.merchant_id, webhook_url };
    const { body } = await send('POST', `${stack.sandbox}/control/${psp_code}/accounts`, account);
    await dashboard.post('gateways', { mode: 'test', psp_code, credentials: body });
  }
}
