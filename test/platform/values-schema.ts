import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field } from '@gp/config';
import { parse } from 'yaml';
import { chart, processes, loadSettings, type Known } from './processes.ts';
import {
  bool,
  count,
  labels,
  list,
  map,
  object,
  buildEnum,
  nullableLabels,
  peers,
  resources,
  text,
  type Schema,
} from './values-fields.ts';
import { keyNames } from './values-keys.ts';
import { perService, taskFields } from './values-pods.ts';

const share = count(1, 100);
const url = (scheme: string) => text(`^(|(${scheme})://[^\\s]+)$`);
/** What remains of a name of 63 characters beside the longest Job with a revision. */
const name = text('^(|[a-z]([a-z0-9-]{0,30}[a-z0-9])?)$');
const hosts = ['api', 'checkout', 'dashboard', 'callbacks', 'sandbox'];
const bundledServer = { image: text('.+'), resources, podSecurityContext: map };
const each = (names: readonly string[], schema: Schema) => Object.fromEntries(names.map((n) => [n, schema]));

/** Settings that the chart works out by itself: saying them a second time could only contradict. */
const OWN =
  /^(DATABASE_URL|NATS_(URL|CA_FILE)|ALLOW_PLAIN_NATS|METRICS_(HOST|PORT)|HOST|SHUTDOWN_SECONDS|OTEL_EXPORTER_OTLP_(TRACES_)?(ENDPOINT|(CLIENT_)?CERTIFICATE|CLIENT_KEY)|KMS_.*)$/;

/**
 * The JSON Schema of the chart's values: closed everywhere, so that a misspelt value is refused. The settings of each
 * service are those that its config.ts declares.
 */
export async function valuesSchema(): Promise<Schema> {
  const services: Record<string, Schema> = {};
  for (const [name, known] of Object.entries(processes))
    services[name] = perService(await settingSchemas(known));
  const shared = perService(await commonSettings());
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({ ...platform, defaults: shared, services: object(services), ...hinted(), global: {} }),
  };
}

const platform: Record<string, Schema> = {
  nameOverride: name,
  fullnameOverride: name,
  commonLabels: labels,
  commonAnnotations: labels,
  image: object({
    repository: text('.+'),
    tag: text(),
    digest: text('^(|sha256:[0-9a-f]{64})$'),
    pullPolicy: buildEnum('Always', 'IfNotPresent', 'Never'),
    pullSecrets: list(text('.+')),
  }),
  hosts: object(each(hosts, text('^(|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$'))),
  urls: object(each(hosts, url('https?'))),
  // A password here would be in the release, the manifests and every process list.
  postgres: object({
    ...each(['url', 'poolerUrl'], text('^(|postgres(ql)?://[^@/?\\s]+/[^@\\s]+)$')),
    secret: text(),
    adminSecret: text(),
    caSecret: text(),
    keyNames: keyNames.postgres,
    maxConnections: count(0),
  }),
  nats: object({
    url: text('^(|(nats|tls)://[^@\\s,]+(,(nats|tls)://[^@\\s,]+)*)$'),
    replicas: { enum: [1, 3, 5] },
    secret: text(),
    ownAuthority: bool,
    keyNames: keyNames.nats,
  }),
  keys: object({ secret: text(), keyNames: keyNames.keys }),
  kms: object({
    url: url('https'),
    ...each(['mount', 'loginPath'], text('^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$')),
    audience: text('.+'),
    prefix: text('^[A-Za-z0-9_.-]+$'),
    caSecret: text(),
    keyNames: keyNames.authority,
  }),
  trust: object({ caSecret: text(), caConfigMap: text(), keyNames: keyNames.authority }),
  securityContact: text('^(|mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$'),
  // A folder is for machines, not for pods, which have nothing to write to.
  mail: object({
    url: url('smtps?'),
    from: text('^(|[^<>\\r\\n]*@[^<>\\r\\n]*|[^<>\\r\\n]+ <[^\\s@<>]+@[^\\s@<>]+>)$'),
    bounces: text('^(|[^\\s@<>]+@[^\\s@<>]+)$'),
    user: text(),
    tls: buildEnum('required', 'offered'),
    mailbox: bool,
  }),
  generateSecrets: object({ enabled: bool }),
  bundled: object({
    enabled: bool,
    storage: text('^(|[0-9]+[MG]i)$'),
    storageClass: text(),
    postgres: object(bundledServer),
    nats: object({ ...bundledServer, servers: buildEnum(1, 3) }),
  }),
  checkSecrets: bool,
  externalSecrets: object({
    enabled: bool,
    refreshInterval: text('^[0-9]+[smh]$'),
    store: object({ name: text(), kind: buildEnum('SecretStore', 'ClusterSecretStore') }),
    remote: object(each(['postgres', 'postgresAdmin', 'keys', 'nats'], text())),
  }),
  sandbox: object({ enabled: bool }),
  webhookScaling: object({
    enabled: bool,
    keda: bool,
    minReplicas: count(1),
    maxReplicas: count(1),
    cpuPercent: share,
    prometheusUrl: url('https?'),
    poolPercent: share,
    fallbackReplicas: count(1),
  }),
  migrations: object({ asHooks: bool, deadlineSeconds: count(1), resources, ...taskFields }),
  ingress: object({
    enabled: bool,
    className: text(),
    annotations: labels,
    tlsSecret: text(),
    hosts: object(each(hosts, object({ className: text(), annotations: nullableLabels, tlsSecret: text() }))),
  }),
  gatewayApi: object({ enabled: bool, parentRefs: list({ type: 'object', required: ['name'] }) }),
  network: object({
    policies: bool,
    trustedProxies: text(),
    ...each(
      ['ingressController', 'monitoring', 'dns', 'apiServer', 'postgres', 'nats', 'collector', 'kms', 'mail'],
      peers,
    ),
    notInternet: object({ ipv4: list(text('/')), ipv6: list(text('/')) }),
  }),
  telemetry: object({
    otlpEndpoint: url('https?'),
    ...each(['headersSecret', 'caSecret', 'clientSecret'], text()),
    keyNames: keyNames.telemetry,
  }),
  monitoring: object({
    runbooks: text('^https?://[^\\s?#]*[^\\s?#/]$'),
    podMonitor: object({ enabled: bool, interval: text('^[0-9]+[smh]$'), labels }),
    rules: object({ enabled: bool, labels }),
    dashboards: object({ enabled: bool, labels }),
  }),
  smokeTest: object({ secret: text(), keyNames: keyNames.smokeTest }),
};

/** Settings of an installation: all that are no secrets and that the chart does not set by itself. */
async function settingSchemas({ folder, ports = {} }: Known): Promise<Record<string, Schema>> {
  const own = new Set(Object.values(ports).map(({ setting }) => setting));
  const free = [...(await loadSettings(folder))].filter(
    ([name, field]) => !field.isSecret && !OWN.test(name) && !own.has(name),
  );
  return Object.fromEntries(free.map(([name, field]) => [name, buildSchema(field)]));
}

/** Settings that every process has. */
async function commonSettings(): Promise<Record<string, Schema>> {
  const all = await Promise.all(Object.values(processes).map(settingSchemas));
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name]) => others.every((settings) => name in settings)),
  );
}

/** The type of a setting as its declaration describes it; its exact limits are the service's own to check. */
function buildSchema({ kind, describe }: Field<unknown>): Schema {
  const description = describe;
  const integer = /^integer (\d+) to (\d+)$/.exec(kind);
  if (integer) return { description, ...count(Number(integer[1]), Number(integer[2])) };
  const number = /^number (\S+) to (\S+)$/.exec(kind);
  if (number) return { description, type: 'number', minimum: Number(number[1]), maximum: Number(number[2]) };
  if (kind === '`true` or `false`') return { description, ...bool };
  if (kind.startsWith('`')) return { description, ...buildEnum(...kind.replaceAll('`', '').split(', ')) };
  return { description, ...text() };
}

/** Keys that a template refuses with a hint, which a schema could not give. */
function hinted(): Record<string, Schema> {
  const hints = parse(readFileSync(join(chart, 'hints.yaml'), 'utf8')) as Record<string, string>;
  return Object.fromEntries(Object.keys(hints).map((key) => [key, {}]));
}
