import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseManifests, type Manifest } from './helm.ts';
import { root } from './processes.ts';

type Forward = { readonly localPort: number; readonly containerPort?: number };
type Evaluated = {
  readonly Name: string;
  readonly TriggerMode: number;
  readonly ResourceDependencies: readonly string[] | null;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly ImageTargets: readonly ImageTarget[] | null;
  readonly DeployTarget: {
    readonly yaml?: string;
    readonly portForwardTemplateSpec?: { readonly forwards: readonly Forward[] };
    readonly UpdateCmdSpec?: { readonly args: readonly string[]; readonly dir: string };
    readonly AllowParallel?: boolean;
  };
};
type ImageTarget = {
  readonly selector: string;
  readonly LiveUpdateSpec: {
    readonly stopPaths: readonly string[];
    readonly syncs: readonly { readonly localPath: string; readonly containerPath: string }[];
    readonly execs: readonly { readonly args: readonly string[]; readonly triggerPaths: readonly string[] }[];
  };
  readonly BuildDetails: { readonly target: string; readonly context: string };
};

/** When Tilt works on a resource, in the order in which Tilt counts. */
const TRIGGERS = ['at start and at every change', 'at start, then by a click', 'by a click'] as const;

/** A resource as Tilt understood it. */
export type Resource = {
  readonly label: string | undefined;
  readonly after: readonly string[];
  readonly runs: (typeof TRIGGERS)[number] | undefined;
  readonly objects: readonly Manifest[];
  readonly forwards: readonly Forward[];
  readonly image: ImageTarget | undefined;
  readonly command: readonly string[];
  readonly isParallel: boolean;
};

export type Evaluation = { readonly resources: ReadonlyMap<string, Resource> } | { readonly refused: string };

/** The cluster that Tilt gets as an option, not the one of kubectl; evaluating a Tiltfile calls neither. */
export type Cluster = { readonly context: string; readonly namespace: string };

/** Has Tilt evaluate the Tiltfile for a cluster, with arguments of the Tiltfile's own. */
export async function evaluate(cluster: Cluster, args: readonly string[] = []): Promise<Evaluation> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-tilt-'));
  try {
    await writeFile(join(folder, 'kubeconfig'), kubeconfig(cluster));
    // Tilt looks for helm under this name.
    await symlink(process.env['GP_HELM'] ?? '', join(folder, 'helm'));
    const env = {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      KUBECONFIG: join(folder, 'kubeconfig'),
      TILT_DISABLE_ANALYTICS: '1',
    };
    const { code, output, errors } = await run(
      ['alpha', 'tiltfile-result', '--context', cluster.context, '--', ...args],
      env,
    );
    return code === 0 ? { resources: parseResources(output) } : { refused: errors };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const options = { cwd: root, env, maxBuffer: 32 * 1024 * 1024 };
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(process.env['GP_TILT'] ?? 'tilt', args, options, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    );
  });
}

function kubeconfig({ context, namespace }: Cluster): string {
  const reached = { cluster: context, user: 'developer' };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: context, cluster: { server: 'https://127.0.0.1:9' } }],
    users: [{ name: 'developer', user: {} }],
    contexts: [
      { name: context, context: { ...reached, namespace } },
      { name: 'another', context: { ...reached, namespace: 'another' } },
    ],
    'current-context': 'another',
  });
}

function parseResources(output: string): ReadonlyMap<string, Resource> {
  const { Manifests } = JSON.parse(output) as { Manifests: readonly Evaluated[] };
  return new Map(Manifests.map((evaluated) => [evaluated.Name, buildResource(evaluated)]));
}

function buildResource({ DeployTarget: target, ...evaluated }: Evaluated): Resource {
  return {
    label: Object.keys(evaluated.Labels ?? {})[0],
    after: evaluated.ResourceDependencies ?? [],
    runs: TRIGGERS[evaluated.TriggerMode],
    objects: parseManifests(target.yaml ?? ''),
    forwards: target.portForwardTemplateSpec?.forwards ?? [],
    image: evaluated.ImageTargets?.[0],
    command: target.UpdateCmdSpec?.args ?? [],
    isParallel: target.AllowParallel ?? false,
  };
}
