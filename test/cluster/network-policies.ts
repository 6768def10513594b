/** The parts of Kubernetes' objects that decide what may talk to what. */
export type Labels = Readonly<Record<string, string>>;
export type Selector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};
type Port = { readonly protocol?: string; readonly port?: number | string; readonly endPort?: number };
type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
};
type Rule = {
  readonly ports?: readonly Port[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
};
type Meta = { readonly name: string; readonly namespace: string; readonly labels?: Labels };
export type Policy = {
  readonly metadata: Meta;
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
};
export type Pod = {
  readonly metadata: Meta;
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly containers: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status: { readonly podIP?: string; readonly phase?: string };
};
export type Namespace = { readonly metadata: { readonly name: string; readonly labels?: Labels } };
export type World = {
  readonly pods: readonly Pod[];
  readonly policies: readonly Policy[];
  readonly namespaces: readonly Namespace[];
};

type Direction = 'Ingress' | 'Egress';

/**
 * Renders all policies as one table of nftables: a pod that a policy isolates in a direction has a chain for it, which
 * ends in a counted drop. Answers to what was allowed always pass.
 */
export function renderRules(world: World): string {
  const chains: string[] = [];
  const verdicts: Record<Direction, string[]> = { Ingress: [], Egress: [] };
  const live = world.pods.filter(isLive);
  for (const pod of live)
    for (const direction of ['Ingress', 'Egress'] as const) {
      const policies = world.policies.filter((policy) => isolates(policy, pod, direction));
      if (policies.length === 0) continue;
      const rules = policies.flatMap((policy) =>
        renderPolicy(policy, pod, direction, { ...world, pods: live }),
      );
      const name = `${direction.toLowerCase()}_${pod.status.podIP!.replaceAll('.', '_')}`;
      const drop = `counter drop comment "${pod.metadata.namespace}/${pod.metadata.name}"`;
      chains.push(
        `  chain ${name} {\n${[...new Set(rules), drop].map((rule) => `    ${rule}\n`).join('')}  }\n`,
      );
      verdicts[direction].push(`${pod.status.podIP} : jump ${name}`);
    }
  // An accept ends one chain of a hook only, so both directions of a packet are judged.
  const leaving = renderJumps('saddr', verdicts.Egress);
  const entering = renderJumps('daddr', verdicts.Ingress);
  const base = (name: string, hook: string, priority: number, jumps: string) =>
    `  chain ${name} {\n    type filter hook ${hook} priority ${priority}; policy accept;\n    ct state established,related accept\n${jumps}  }\n`;
  const bases = [
    base('leave', 'forward', -10, leaving),
    base('enter', 'forward', -5, entering),
    base('to_node', 'input', -10, leaving),
  ];
  return `table ip policies\ndelete table ip policies\ntable ip policies {\n${chains.join('')}${bases.join('')}}\n`;
}

const isLive = ({ spec, status }: Pod): boolean =>
  status.podIP !== undefined && !spec.hostNetwork && !['Succeeded', 'Failed'].includes(status.phase ?? '');

function isolates({ metadata, spec }: Policy, pod: Pod, direction: Direction): boolean {
  const types = spec.policyTypes ?? (spec.egress ? ['Ingress', 'Egress'] : ['Ingress']);
  return (
    metadata.namespace === pod.metadata.namespace &&
    types.includes(direction) &&
    matches(spec.podSelector, pod.metadata.labels)
  );
}

/** Whether labels fit a selector; one that is empty fits all. */
export function matches({ matchLabels, matchExpressions }: Selector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return (operator === 'Exists') === (value !== undefined);
    })
  );
}

function renderPolicy(policy: Policy, pod: Pod, direction: Direction, world: World): string[] {
  const [rules, side] =
    direction === 'Ingress' ? [policy.spec.ingress, 'saddr'] : [policy.spec.egress, 'daddr'];
  return (rules ?? []).flatMap(({ ports, from, to }) => {
    const peers = direction === 'Ingress' ? from : to;
    // Ports with a name are those of the pod that is entered.
    const accept = (address: string, entered: Pod | undefined) =>
      renderPorts(ports, entered).map((port) =>
        [address, port, 'accept'].filter((word) => word !== '').join(' '),
      );
    if (peers === undefined || peers.length === 0)
      return accept('', direction === 'Ingress' ? pod : undefined);
    return peers.flatMap((peer) => {
      if (peer.ipBlock)
        return accept(renderBlock(side, peer.ipBlock), direction === 'Ingress' ? pod : undefined);
      return findPeers(peer, policy.metadata.namespace, world).flatMap((other) =>
        accept(`ip ${side} ${other.status.podIP}`, direction === 'Ingress' ? pod : other),
      );
    });
  });
}

function renderBlock(side: string, { cidr, except = [] }: NonNullable<Peer['ipBlock']>): string {
  // This network has no addresses of IPv6: such a block allows nothing here.
  if (cidr.includes(':')) return 'ip daddr 255.255.255.255/32';
  const but = except.filter((range) => !range.includes(':'));
  return `ip ${side} ${cidr}${but.length > 0 ? ` ip ${side} != { ${but.join(', ')} }` : ''}`;
}

function findPeers({ podSelector, namespaceSelector }: Peer, own: string, world: World): readonly Pod[] {
  const namespaces = new Map(world.namespaces.map(({ metadata }) => [metadata.name, metadata.labels]));
  return world.pods.filter(
    ({ metadata }) =>
      (namespaceSelector
        ? matches(namespaceSelector, namespaces.get(metadata.namespace))
        : metadata.namespace === own) && matches(podSelector ?? {}, metadata.labels),
  );
}

function renderPorts(ports: readonly Port[] | undefined, entered: Pod | undefined): readonly string[] {
  if (ports === undefined || ports.length === 0) return [''];
  return ports.flatMap(({ protocol = 'TCP', port, endPort }) => {
    const kind = protocol.toLowerCase();
    if (port === undefined) return [`meta l4proto ${kind}`];
    const named = entered?.spec.containers.flatMap((container) => container.ports ?? []);
    const number = typeof port === 'number' ? port : named?.find(({ name }) => name === port)?.containerPort;
    return number === undefined ? [] : [`${kind} dport ${endPort ? `${number}-${endPort}` : number}`];
  });
}

const renderJumps = (side: string, verdicts: readonly string[]): string =>
  verdicts.length === 0 ? '' : `    ip ${side} vmap { ${verdicts.join(', ')} }\n`;
