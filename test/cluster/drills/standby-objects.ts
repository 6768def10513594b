/** The parts of a StatefulSet that its standby differs in. */
export type StatefulSet = {
  readonly metadata: { readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: object;
    };
    readonly volumeClaimTemplates?: readonly {
      readonly metadata: { readonly name: string };
      readonly spec: object;
    }[];
  };
};

const ROLE = { 'group-payments.example/role': 'standby' };
const OF_POSTGRES = { matchLabels: { 'app.kubernetes.io/component': 'postgres' } };

/** The StatefulSet of a standby of a server: the same containers in another zone, with a volume of its own. */
export function renderStandby({ metadata, spec }: StatefulSet, name: string, zone: string): object {
  const { template, selector, volumeClaimTemplates = [] } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: metadata.namespace },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: { ...selector.matchLabels, ...ROLE } },
      template: {
        metadata: { labels: { ...template.metadata.labels, ...ROLE } },
        spec: { ...template.spec, nodeSelector: { 'topology.kubernetes.io/zone': zone } },
      },
      volumeClaimTemplates: volumeClaimTemplates.map((one) => ({
        metadata: { name: one.metadata.name },
        spec: one.spec,
      })),
    },
  };
}

/** Lets the servers of Postgres reach each other by name. */
export function renderStandbyPolicy(namespace: string, name: string): object {
  const postgres = { protocol: 'TCP', port: 5432 };
  const dns = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec: {
      podSelector: OF_POSTGRES,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: OF_POSTGRES }], ports: [postgres] }],
      egress: [
        { to: [{ podSelector: OF_POSTGRES }], ports: [postgres] },
        { to: [{ namespaceSelector: {} }], ports: dns },
      ],
    },
  };
}
