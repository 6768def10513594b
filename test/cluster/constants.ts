/** Kubernetes of this cluster; kubernetes/go.mod pins the same. */
export const KUBERNETES = '1.33.13';
/** KEDA of the drill that scales; keda/go.mod pins the same. Its releases are for the three versions of Kubernetes before their own. */
export const KEDA = '2.20.2';
export const KEDA_MODULE = 'github.com/kedacore/keda/v2';
/** The one address that both nodes have in the space of the cluster. */
export const ADDRESS = '10.88.77.1';
/** An address that the platform takes for the internet's; it exists in the space of the cluster only. */
export const OUTSIDE = '11.11.11.11';
export const SERVICES = '10.96.0.0/16';
export const API_SERVICE = '10.96.0.1';
export const DNS_SERVICE = '10.96.0.10';
export const INGRESS_SERVICE = '10.96.0.80';
export const PODS = '10.244.0.0/16';
/** The group of all containers' processes. */
export const CGROUP = 'group-payments-cluster';
export const NAMESPACE = 'payments';
export const RELEASE = 'pay';
/** Every container image, as pods name it. */
export const IMAGE = 'localhost/group-payments:cluster';
export const KEDA_IMAGE = 'localhost/keda:1';

export type Node = { readonly name: string; readonly index: number; readonly zone: string };
export const NODES: readonly Node[] = [
  { name: 'node1', index: 1, zone: 'zone-a' },
  { name: 'node2', index: 2, zone: 'zone-b' },
];
/** The zone of what has one copy only, Postgres and the sandbox, and of most NATS servers. */
export const STILL_ZONE = 'zone-a';

const DOMAIN = 'pay.test';
/** Names under which the ingress serves the platform. */
export const HOSTS = {
  api: `api.${DOMAIN}`,
  checkout: DOMAIN,
  dashboard: `dashboard.${DOMAIN}`,
  callbacks: `callbacks.${DOMAIN}`,
  sandbox: `sandbox.${DOMAIN}`,
} as const;
