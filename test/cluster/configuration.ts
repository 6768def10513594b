import { DNS_SERVICE, CGROUP, type Node } from './constants.ts';

/** Folders of a node: what it keeps, and where the certificates are. */
export type Folders = { readonly node: string; readonly pki: string };

/** The address at which the kubelet finds its containerd; /run belongs to the cluster alone. */
export const findSocket = (node: string): string => `/run/${node}/containerd.sock`;

/** containerd's configuration: one for each node, in a machine that may refuse limits and has no AppArmor. */
export function renderContainerd({ name }: Node, folders: Folders): string {
  return `version = 2
root = "${folders.node}/containerd"
state = "/run/${name}/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt"]
[grpc]
  address = "${findSocket(name)}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folders.node}/network"
`;
}

/** The addresses of a node's pods. */
export const findPods = ({ index }: Pick<Node, 'index'>): string => `10.244.${index}.0/24`;

/** The network of a node's pods: each packet is routed, so that rules see those between two pods of one node too. */
export function renderNetwork({ name, index }: Node, folders: Folders): string {
  const ranges = [[{ subnet: findPods({ index }) }]];
  const ipam = {
    type: 'host-local',
    dataDir: `${folders.node}/addresses`,
    ranges,
    routes: [{ dst: '0.0.0.0/0' }],
  };
  return JSON.stringify({
    cniVersion: '0.4.0',
    name,
    plugins: [{ type: 'ptp', ipMasq: false, mtu: 1500, ipam }],
  });
}

/** The kubelet's configuration: no groups of processes of its own making, since the machine may have the old kind. */
export function renderKubelet({ name, index }: Node, folders: Folders): string {
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    port: 10250 + index * 10,
    healthzPort: 10248 + index * 10,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: `${folders.pki}/ca.crt` } },
    authorization: { mode: 'Webhook' },
    tlsCertFile: `${folders.pki}/${name}.crt`,
    tlsPrivateKeyFile: `${folders.pki}/${name}.key`,
    containerRuntimeEndpoint: `unix://${findSocket(name)}`,
    podLogsDir: `${folders.node}/logs`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${CGROUP}`,
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    failCgroupV1: false,
    oomScoreAdj: 0,
    maxOpenFiles: 20000,
    localStorageCapacityIsolation: false,
    clusterDNS: [DNS_SERVICE],
    clusterDomain: 'cluster.local',
    resolvConf: '/etc/resolv.conf',
    featureGates: { KubeletInUserNamespace: true },
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 99,
    imageGCLowThresholdPercent: 98,
    nodeStatusUpdateFrequency: '4s',
  });
}
