import { join } from 'node:path';
import { kubectl } from '../control-plane.ts';
import { chart, runHelm } from '../platform.ts';

const NAMESPACE = 'without-secrets';
const SECRETS = ['postgres', 'postgres-admin', 'keys', 'nats'].map((name) => `group-payments-${name}`);

/** Installs the chart where no secret is; throws unless Helm refuses, names each secret and leaves nothing. */
export function installWithoutSecrets(): void {
  kubectl(['create', 'namespace', NAMESPACE]);
  try {
    const refusal = installRefused();
    const unnamed = SECRETS.filter((secret) => !refusal.includes(secret));
    if (unnamed.length > 0) throw new Error(`Helm does not name ${unnamed.join(', ')}: ${refusal}`);
    const left = kubectl(['get', 'pods,jobs,deployments', '--namespace', NAMESPACE, '--output', 'name']);
    if (left.trim() !== '') throw new Error(`Helm left ${left}`);
  } finally {
    kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
  }
}

function installRefused(): string {
  const values = ['--values', join(chart, 'examples/minimal.yaml')];
  try {
    runHelm(['install', 'without', chart, ...values, '--namespace', NAMESPACE], true);
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
  throw new Error('Helm installed a release without its secrets');
}
