import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEDA_IMAGE, NODES } from '../constants.ts';
import { kubectl, until } from '../control-plane.ts';
import { makeKedaImage } from '../images.ts';
import { importImage } from '../node.ts';
import { kept, running } from '../paths.ts';
import { buildKeda } from '../programs.ts';

const PLACE = ['--namespace', 'keda'];
const DEPLOYMENTS = ['keda-operator', 'keda-metrics-apiserver'];
/** KEDA's own manifests, and what is different here. */
const folder = join(running, 'keda');
const applied = ['--kustomize', folder];

/** Installs KEDA with its own manifests; resolves when the cluster answers with external metrics. */
export async function installKeda(): Promise<void> {
  const module = buildKeda();
  const archive = makeKedaImage(join(kept, 'keda'));
  for (const node of NODES) importImage(node, archive);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  cpSync(join(module, 'config'), join(folder, 'config'), { recursive: true });
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(KUSTOMIZATION));
  // One of its definitions is too large for what kubectl keeps of an object otherwise.
  kubectl(['apply', '--server-side', ...applied]);
  for (const name of DEPLOYMENTS)
    kubectl(['rollout', 'status', `deployment/${name}`, ...PLACE, '--timeout', '3m']);
  await until('external metrics are served', () =>
    kubectl(['get', '--raw', '/apis/external.metrics.k8s.io/v1beta1'], undefined, true),
  );
}

/** Takes KEDA away, once nothing is scaled by it. */
export function removeKeda(): void {
  if (existsSync(folder)) kubectl(['delete', ...applied, '--ignore-not-found', '--timeout', '3m']);
}

const [newName, newTag] = KEDA_IMAGE.split(':');
const KUSTOMIZATION = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: ['config/minimal'],
  images: ['keda', 'keda-metrics-apiserver'].map((name) => ({
    name: `ghcr.io/kedacore/${name}`,
    newName,
    newTag,
  })),
  patches: [
    {
      target: { kind: 'Deployment' },
      // No registry has the image.
      patch: JSON.stringify([
        { op: 'replace', path: '/spec/template/spec/containers/0/imagePullPolicy', value: 'Never' },
      ]),
    },
  ],
};
