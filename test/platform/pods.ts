import { createIdentity } from '@gp/bus';
import type { Manifest } from './helm.ts';

export type EnvVariable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly EnvVariable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
};
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };

export type PodSpec = {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly whenUnsatisfiable: string;
  }[];
} & Readonly<Record<string, unknown>>;

/** The pod that an object makes, with the object's labels for its pods; undefined for objects that make none. */
export function findPod({
  kind,
  metadata,
  spec,
}: Manifest): { labels: Record<string, string>; spec: PodSpec } | undefined {
  if (kind === 'Pod') return { labels: { ...metadata.labels }, spec: readSpec(spec as PodSpec) };
  const template = spec?.['template'] as { metadata: Manifest['metadata']; spec: PodSpec } | undefined;
  return template && { labels: { ...template.metadata.labels }, spec: readSpec(template.spec) };
}

/** A container without an environment has an empty one. */
function readSpec(spec: PodSpec): PodSpec {
  return {
    ...spec,
    containers: spec.containers.map((container) => ({ ...container, env: container.env ?? [] })),
  };
}

/** Every pod of an installation by the name of what makes it. */
export function listPods(objects: readonly Manifest[]) {
  return objects.flatMap((object) => {
    const pod = findPod(object);
    return pod ? [{ ...pod, object, name: `${object.kind}/${object.metadata.name}` }] : [];
  });
}

/** A process of the platform as an installation runs it. */
export type Deployed = { readonly object: Manifest; readonly spec: PodSpec; readonly container: Container };

/** The Deployments by the process that each runs. */
export function listDeployments(objects: readonly Manifest[]): Readonly<Record<string, Deployed>> {
  const deployed = listPods(objects).filter(({ object }) => object.kind === 'Deployment');
  return Object.fromEntries(
    deployed.map(({ object, spec }): [string, Deployed] => [
      object.metadata.labels?.['app.kubernetes.io/component'] ?? '',
      { object, spec, container: spec.containers[0]! },
    ]),
  );
}

/** Its environment, secrets with a text that is good for any of them but a seed. */
export function readEnvironment({ env }: Container): Record<string, string> {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const fill = (name: string) => (name === 'NATS_NKEY_SEED' ? seed : secret);
  return Object.fromEntries(env.map(({ name, value }): [string, string] => [name, value ?? fill(name)]));
}

const { seed } = createIdentity();
