import type { Installation } from './helm.ts';

/** Installations that differ in what they switch on; what must hold of one must hold of each. */
export const matrix: readonly (readonly [string, Installation])[] = [
  ['minimal values', {}],
  ['production', { example: 'production' }],
  ['development', { example: 'dev' }],
  ['the quick start', { example: 'quickstart' }],
  ['generated secrets', { values: { generateSecrets: { enabled: true } } }],
  [
    'everything at once',
    { example: 'production', values: { ...sandbox(), ...both(), ...pods(), ...kms(), ...telemetry() } },
  ],
  ['names, labels and authorities of its own', { values: own() }],
  ['policies around the sandbox', { values: { ...sandbox(), smokeTest: { secret: 'smoke' } } }],
  ['no hooks, one replica', { values: { migrations: { asHooks: false }, defaults: { replicas: 1 } } }],
  ['scaling off', { values: { webhookScaling: { enabled: false } } }],
];

function sandbox() {
  return { sandbox: { enabled: true }, hosts: { sandbox: 'sandbox.pay.example.com' } };
}

function kms() {
  return { kms: { url: 'https://openbao.openbao.svc:8200', caSecret: 'openbao-ca' } };
}

function telemetry() {
  const secrets = { caSecret: 'collector-ca', clientSecret: 'collector-client' };
  return { telemetry: { otlpEndpoint: 'https://collector.monitoring.svc', ...secrets } };
}

function both() {
  return {
    ingress: { enabled: true, className: 'nginx', annotations: { 'cert-manager.io/issuer': 'acme' } },
  };
}

function own() {
  return {
    fullnameOverride: 'payments',
    commonLabels: { team: 'payments' },
    commonAnnotations: { 'example.com/owner': 'payments' },
    trust: { caSecret: 'proxy-ca' },
    keys: { keyNames: { 'api-key-pepper': 'pepper', 'encryption-key-checkout': 'checkout-keys/current' } },
    ingress: { hosts: { callbacks: { className: 'public' }, api: { tlsSecret: 'api-tls' } } },
    generateSecrets: { enabled: true },
  };
}

function pods() {
  const defaults = {
    podAnnotations: { team: 'payments' },
    podLabels: { tier: 'money' },
    nodeSelector: { pool: 'payments' },
    tolerations: [{ key: 'payments', operator: 'Exists' }],
    priorityClassName: 'high',
    autoscaling: { enabled: true },
  };
  return { defaults, image: { pullSecrets: ['registry'] }, postgres: { maxConnections: 0 } };
}
