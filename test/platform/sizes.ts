import { render, type Manifest } from './helm.ts';
import { listDeployments, listPods } from './pods.ts';
import { loadSettings, processes } from './processes.ts';

/** What an installation asks of a cluster at its least replicas, without its Jobs. */
type Size = { readonly pods: number; readonly cpu: number; readonly memoryMi: number };

const EXAMPLES = ['quickstart', 'minimal', 'production'];
const MI_PER_GI = 1_024;

/** The rows of the table of sizes in the chart's README, from what the examples render. */
export function listSizes(): Promise<string[]> {
  return Promise.all(
    EXAMPLES.map(async (example) => {
      const objects = await render({ example });
      const { pods, cpu, memoryMi } = measure(objects);
      const memory = `${(memoryMi / MI_PER_GI).toFixed(1)} GiB`;
      return `| ${[example, pods, cpu.toFixed(1), memory, await countConnections(objects)].join(' | ')} |`;
    }),
  );
}

/** Counts what the chart counts in its template, from the autoscalers and Deployments that it rendered. */
export async function countConnections(objects: readonly Manifest[]): Promise<number> {
  const most = listBounds(objects, ['maxReplicas', 'maxReplicaCount']);
  const plainJobs = objects.filter(
    ({ kind, metadata }) => kind === 'Job' && metadata.annotations?.['helm.sh/hook'] === undefined,
  );
  // A hook runs alone; plain Jobs run at once, and one of them makes the streams.
  let sum = Math.max(1, plainJobs.length - 1);
  for (const [name, { object, container }] of Object.entries(listDeployments(objects))) {
    const { folder, migrations } = processes[name]!;
    const replicas = most.get(object.metadata.name) ?? (object.spec?.['replicas'] as number);
    const given = container.env.find((one) => one.name === 'DATABASE_CONNECTIONS')?.value;
    const pool = Number(given ?? (await loadSettings(folder)).get('DATABASE_CONNECTIONS')?.fallback);
    const isPooled = container.env.some((one) => one.name === 'DATABASE_DIRECT_URL');
    sum += (replicas + 1) * ((isPooled ? 0 : pool) + (migrations.includes('libs/outbox/migrations') ? 1 : 0));
  }
  return sum;
}

function measure(objects: readonly Manifest[]): Size {
  const least = listBounds(objects, ['minReplicas', 'minReplicaCount']);
  const size = { pods: 0, cpu: 0, memoryMi: 0 };
  for (const { object, spec } of listPods(objects)) {
    if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') continue;
    const replicas = least.get(object.metadata.name) ?? (object.spec?.['replicas'] as number);
    const { cpu = '', memory = '' } = spec.containers[0]!.resources.requests;
    size.pods += replicas;
    size.cpu += replicas * (cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1_000 : Number(cpu));
    size.memoryMi += replicas * Number.parseInt(memory, 10) * (memory.endsWith('Gi') ? MI_PER_GI : 1);
  }
  return size;
}

/** A bound of each autoscaler, by the name of the Deployment that it scales. */
function listBounds(objects: readonly Manifest[], fields: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    objects.flatMap(({ spec }) => {
      const target = spec?.['scaleTargetRef'] as { name: string } | undefined;
      const bound = fields.map((field) => spec?.[field]).find((value) => value !== undefined);
      return target ? [[target.name, bound as number] as const] : [];
    }),
  );
}
