import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.ts';
import { ADDRESS, API_SERVICE, HOSTS, NODES, OUTSIDE } from './constants.ts';
import { running } from './paths.ts';

export const pki = join(running, 'pki');
export const inPki = (file: string): string => join(pki, file);

type Certificate = { readonly name: string; readonly subject: string; readonly names?: readonly string[] };

const CERTIFICATES: readonly Certificate[] = [
  {
    name: 'apiserver',
    subject: '/CN=kube-apiserver',
    names: [
      ...['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map(
        (name) => `DNS:${name}`,
      ),
      ...['127.0.0.1', API_SERVICE, ADDRESS].map((address) => `IP:${address}`),
    ],
  },
  { name: 'admin', subject: '/O=system:masters/CN=admin' },
  { name: 'controllers', subject: '/CN=system:kube-controller-manager' },
  { name: 'scheduler', subject: '/CN=system:kube-scheduler' },
  { name: 'proxy', subject: '/CN=system:kube-proxy' },
  { name: 'front', subject: '/CN=front-proxy' },
  ...NODES.map(({ name }) => ({
    name,
    subject: `/O=system:nodes/CN=system:node:${name}`,
    names: [`DNS:${name}`, `IP:${ADDRESS}`, 'IP:127.0.0.1'],
  })),
  { name: 'ingress', subject: `/CN=${HOSTS.api}`, names: Object.values(HOSTS).map((host) => `DNS:${host}`) },
  { name: 'endpoint', subject: '/CN=endpoint', names: [`IP:${OUTSIDE}`] },
];

/** Makes an authority for this cluster, a certificate for each of its parts, and how each reaches the API. */
export function makeCertificates(): void {
  mkdirSync(pki, { recursive: true, mode: 0o700 });
  const ssl = (...args: readonly string[]) =>
    run('sh', ['-c', '"$@" 2>/dev/null', 'sh', 'openssl', ...args], { cwd: pki });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  ssl('req', '-x509', ...key, '-days', '30', '-subj', '/CN=cluster', '-keyout', 'ca.key', '-out', 'ca.crt');
  ssl('genrsa', '-out', 'accounts.key', '2048');
  ssl('rsa', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub');
  for (const { name, subject, names } of CERTIFICATES) {
    const uses = 'keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\n';
    writeFileSync(inPki('extensions'), uses + (names ? `subjectAltName=${names.join()}\n` : ''));
    ssl('req', ...key, '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30'];
    ssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-extfile', 'extensions', '-out', `${name}.crt`);
    writeFileSync(inPki(`${name}.json`), renderKubeconfig(name));
  }
}

function renderKubeconfig(user: string): string {
  const base64 = (file: string) => readFileSync(inPki(file)).toString('base64');
  const cluster = { server: 'https://127.0.0.1:6443', 'certificate-authority-data': base64('ca.crt') };
  const credentials = {
    'client-certificate-data': base64(`${user}.crt`),
    'client-key-data': base64(`${user}.key`),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user } }],
    'current-context': 'cluster',
  });
}
