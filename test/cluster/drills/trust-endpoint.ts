import { readFileSync } from 'node:fs';
import { kubectl } from '../control-plane.ts';
import { namespace } from '../namespace.ts';
import { inPki } from '../pki.ts';
import { fullName, namespaced } from './cluster.ts';

/** Lets the dispatcher trust the authority of this cluster, which signed the certificate of the crowd's endpoint. */
export function trustEndpoint(): void {
  const name = 'endpoint-authority';
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: namespace() },
    data: { 'ca.crt': readFileSync(inPki('ca.crt'), 'utf8') },
  };
  kubectl(['apply', '--filename', '-'], JSON.stringify(object));
  const deployment = fullName('webhook-dispatcher');
  const container = {
    name: 'service',
    env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/endpoint/ca.crt' }],
    volumeMounts: [{ name, mountPath: '/etc/endpoint' }],
  };
  const spec = { containers: [container], volumes: [{ name, configMap: { name } }] };
  const patch = JSON.stringify({ spec: { template: { spec } } });
  kubectl(namespaced('patch', `deployment/${deployment}`, '--patch', patch));
}
