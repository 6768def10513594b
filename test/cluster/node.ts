import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderContainerd, renderKubelet, renderNetwork, findSocket } from './configuration.ts';
import { ADDRESS, type Node } from './constants.ts';
import { until } from './control-plane.ts';
import { kept, kubeconfig, running } from './paths.ts';
import { pki } from './pki.ts';
import { inside, startInside } from './space.ts';

/** Starts a node: a containerd with the images, and a kubelet with a label for its zone. */
export async function startNode(node: Node, images: readonly string[]): Promise<void> {
  const folders = findFolders(node);
  for (const folder of ['network', 'logs', 'kubelet'])
    mkdirSync(join(folders.node, folder), { recursive: true });
  const write = (file: string, text: string) => {
    writeFileSync(join(folders.node, file), text);
    return join(folders.node, file);
  };
  write('network/10-pods.conflist', renderNetwork(node, folders));
  const containerd = write('containerd.toml', renderContainerd(node, folders));
  write('kubelet.json', renderKubelet(node, folders));
  inside('mkdir', ['-p', `/run/${node.name}`]);
  startInside(`containerd-${node.name}`, 'containerd', ['--config', containerd]);
  await until(`containerd of ${node.name} answers`, () => ctr(node, 'version'));
  for (const image of images) importImage(node, image);
  startKubelet(node);
}

/** Gives a node the image of an archive. */
export function importImage(node: Node, archive: string): void {
  ctr(node, 'images', 'import', archive);
}

const ctr = ({ name }: Node, ...args: readonly string[]): string =>
  inside('ctr', ['--address', findSocket(name), '--namespace', 'k8s.io', ...args], { quiet: true });

/** Starts the kubelet of a node that has its configuration. */
export function startKubelet(node: Node): void {
  const { node: folder } = findFolders(node);
  startInside(`kubelet-${node.name}`, join(kept, 'bin/kubelet'), [
    ...['--config', join(folder, 'kubelet.json'), '--kubeconfig', kubeconfig(node.name)],
    ...['--hostname-override', node.name, '--root-dir', join(folder, 'kubelet')],
    ...['--cert-dir', join(folder, 'certificates'), '--node-ip', ADDRESS],
    ...['--node-labels', `topology.kubernetes.io/zone=${node.zone}`],
  ]);
}

const findFolders = ({ name }: Node) => ({ node: join(running, 'nodes', name), pki });
