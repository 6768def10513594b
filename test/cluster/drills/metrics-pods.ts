import type { ListObjects } from '../list-objects.ts';

/** A pod whose metrics can be read. */
export type MetricsPod = {
  readonly namespace: string;
  readonly pod: string;
  /** Address and port of its metrics. */
  readonly address: string;
};

const OURS = `/api/v1/pods?labelSelector=${encodeURIComponent('app.kubernetes.io/part-of=group-payments')}`;

type Pod = {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly containers: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status: { readonly podIP?: string; readonly phase?: string };
};

/** Lists the running pods of the platform that have metrics, in every namespace. */
export async function listMetricsPods(list: ListObjects): Promise<readonly MetricsPod[]> {
  return (await list<Pod>(OURS)).flatMap(({ metadata, spec, status }) => {
    const ports = spec.containers.flatMap((container) => container.ports ?? []);
    const port = ports.find(({ name }) => name === 'metrics')?.containerPort;
    if (port === undefined || status.podIP === undefined || status.phase !== 'Running') return [];
    const { namespace, name: pod } = metadata;
    return { namespace, pod, address: `${status.podIP}:${port}` };
  });
}
