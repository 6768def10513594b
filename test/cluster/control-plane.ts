import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ADDRESS, PODS, SERVICES } from './constants.ts';
import { kept, kubeconfig, running } from './paths.ts';
import { inPki } from './pki.ts';
import { inside, startInside } from './space.ts';

const program = (name: string): string => join(kept, 'bin', name);
const flags = (given: Readonly<Record<string, string>>): string[] =>
  Object.entries(given).map(([name, value]) => `--${name}=${value}`);

/** Runs kubectl as the administrator and returns what it prints. */
export function kubectl(args: readonly string[], input?: string, quiet = false): string {
  const env = { KUBECONFIG: kubeconfig('admin'), HOME: running };
  return inside(program('kubectl'), args, { env, quiet, ...(input !== undefined && { input }) });
}

/** Starts etcd, the API server, the controllers and the scheduler; resolves when the API is ready. */
export async function startControlPlane(): Promise<void> {
  const store = 'http://127.0.0.1:2379';
  startInside('etcd', program('etcd'), [
    ...flags({
      'data-dir': join(running, 'etcd'),
      'listen-client-urls': store,
      'advertise-client-urls': store,
    }),
    '--unsafe-no-fsync',
  ]);
  startInside('kube-apiserver', program('kube-apiserver'), flags(apiServer(store)));
  await until('the API server is ready', () => kubectl(['get', '--raw', '/readyz'], undefined, true));
  startInside('kube-controller-manager', program('kube-controller-manager'), [
    ...flags({
      kubeconfig: kubeconfig('controllers'),
      'service-account-private-key-file': inPki('accounts.key'),
      'root-ca-file': inPki('ca.crt'),
      'use-service-account-credentials': 'true',
      'allocate-node-cidrs': 'false',
      'leader-elect': 'false',
      'node-monitor-grace-period': '20s',
    }),
  ]);
  startInside('kube-scheduler', program('kube-scheduler'), [
    ...flags({ kubeconfig: kubeconfig('scheduler'), 'leader-elect': 'false' }),
  ]);
}

/** Starts kube-proxy, one for both nodes, since they share one network. */
export function startProxy(): void {
  const given = {
    kubeconfig: kubeconfig('proxy'),
    'proxy-mode': 'nftables',
    'cluster-cidr': PODS,
    'hostname-override': 'node1',
    // These are settings of the whole machine.
    'conntrack-max-per-core': '0',
    'conntrack-tcp-timeout-established': '0',
    'conntrack-tcp-timeout-close-wait': '0',
  };
  startInside('kube-proxy', program('kube-proxy'), flags(given));
}

function apiServer(store: string): Record<string, string> {
  return {
    'etcd-servers': store,
    'bind-address': '0.0.0.0',
    'advertise-address': ADDRESS,
    'secure-port': '6443',
    'service-cluster-ip-range': SERVICES,
    'client-ca-file': inPki('ca.crt'),
    'tls-cert-file': inPki('apiserver.crt'),
    'tls-private-key-file': inPki('apiserver.key'),
    'service-account-key-file': inPki('accounts.pub'),
    'service-account-signing-key-file': inPki('accounts.key'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'allow-privileged': 'true',
    'kubelet-client-certificate': inPki('admin.crt'),
    'kubelet-client-key': inPki('admin.key'),
    'kubelet-certificate-authority': inPki('ca.crt'),
    // The name of a node is in no name server.
    'kubelet-preferred-address-types': 'InternalIP',
    'requestheader-client-ca-file': inPki('ca.crt'),
    'requestheader-allowed-names': 'front-proxy',
    'requestheader-username-headers': 'X-Remote-User',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'proxy-client-cert-file': inPki('front.crt'),
    'proxy-client-key-file': inPki('front.key'),
    'enable-aggregator-routing': 'true',
  };
}

/** Tries for two minutes until `look` does not throw; then throws its last error. */
export async function until(what: string, look: () => unknown): Promise<void> {
  for (const giveUpAt = Date.now() + 120_000; ; await delay(500)) {
    try {
      look();
      return;
    } catch (cause) {
      if (Date.now() > giveUpAt) throw new Error(`not within two minutes: ${what}`, { cause });
    }
  }
}
