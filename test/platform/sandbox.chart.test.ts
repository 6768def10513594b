import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type Manifest } from './helm.ts';
import { listDeployments, type Deployed } from './pods.ts';

const values = {
  sandbox: { enabled: true },
  hosts: { sandbox: 'sandbox.pay.example.com' },
  smokeTest: { secret: 'smoke' },
};

type Peers = readonly { podSelector?: { matchExpressions?: readonly { values: readonly string[] }[] } }[];
type Rules = readonly { from?: Peers; to?: Peers; ports: readonly { port: number | string }[] }[];

let objects: Manifest[];
let pods: Readonly<Record<string, Deployed>>;
beforeAll(async () => {
  objects = await render({ values });
  pods = listDeployments(objects);
});

const find = (kind: string, component: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === `gp-group-payments-${component}`)
    ?.spec as Readonly<Record<string, unknown>>;
const readVariable = (process: string, name: string) =>
  pods[process]!.container.env.find((one) => one.name === name);

/** Whether a process may call another one's port, by the policies of both. */
function mayCall(from: string, to: string, port: { name: string; number: number }): boolean {
  const names = (peers: Peers = []) =>
    peers.flatMap(({ podSelector }) => podSelector?.matchExpressions?.flatMap((one) => one.values) ?? []);
  const { egress } = find('NetworkPolicy', from) as { egress: Rules };
  const { ingress } = find('NetworkPolicy', to) as { ingress: Rules };
  const leaves = egress.some(
    (rule) => names(rule.to).includes(to) && rule.ports.some((p) => p.port === port.number),
  );
  const enters = ingress.some(
    (rule) => names(rule.from).includes(from) && rule.ports.some((p) => p.port === port.name),
  );
  return leaves && enters;
}

describe('the sandbox of a cluster', () => {
  it('the dashboard, which is another pod, reaches the sandbox’s control calls and has their token', () => {
    const { hostname, port } = new URL(readVariable('merchant-dashboard', 'SANDBOX_URL')?.value ?? '');
    expect(hostname).toBe('gp-group-payments-psp-sandbox');
    const { ports } = find('Service', 'psp-sandbox') as { ports: { name: string; port: number }[] };
    expect(ports.find(({ name }) => name === 'http')?.port).toBe(Number(port));
    expect(mayCall('merchant-dashboard', 'psp-sandbox', { name: 'http', number: Number(port) })).toBe(true);
    const [given, asked] = ['merchant-dashboard', 'psp-sandbox'].map((name) =>
      readVariable(name, 'SANDBOX_CONTROL_TOKEN'),
    );
    expect(given?.valueFrom?.secretKeyRef.key).toBe('sandbox-control-token');
    expect(given).toEqual(asked);
  });

  it('no client is admitted to control calls by its address, and a process without their token does not reach the sandbox', () => {
    expect(readVariable('psp-sandbox', 'CONTROL_FROM_LOOPBACK')).toBeUndefined();
    expect(mayCall('api-gateway', 'psp-sandbox', { name: 'http', number: 8090 })).toBe(false);
  });

  it('an installation that takes live payments has no sandbox and no token of it', async () => {
    const live = JSON.stringify(await render({ example: 'production' }));
    expect(live).not.toMatch(/psp-sandbox|SANDBOX_|sandbox-control-token/);
  });
});
