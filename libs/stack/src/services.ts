import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** What the stack must know to run one service: its folder, its schema and its own settings. */
export type ServiceSpec = {
  readonly name: string;
  readonly folder: string;
  readonly schema: string;
  /** Whose database it keeps its schema in; the sandbox plays somebody else. */
  readonly database: 'postgres' | 'gateways';
  /** Folders of SQL, relative to the repository, in the order they are applied. */
  readonly migrations: readonly string[];
  readonly env: (o: { ports: Ports; secrets: Secrets; dataDir: string }) => Record<string, string>;
};

const OUTBOX = 'libs/outbox/migrations';
const GATEWAY = 'libs/gateway/migrations';

/** A stack on one machine is for trying and measuring: nobody is to be slowed down. `GP_SET_<NAME>` lowers any of them. */
const highLimits = Object.fromEntries(
  [
    'RATE_LIMIT_LIVE_PER_SECOND',
    'RATE_LIMIT_LIVE_BURST',
    'RATE_LIMIT_TEST_PER_SECOND',
    'RATE_LIMIT_TEST_BURST',
    'RATE_LIMIT_CREATE_PER_SECOND',
    'RATE_LIMIT_CREATE_BURST',
    'RATE_LIMIT_SESSION_PER_SECOND',
    'RATE_LIMIT_SESSION_BURST',
    'CARD_TESTING_DECLINES_PER_GROUP',
    'CARD_TESTING_DECLINES_PER_CLIENT',
  ].map((name) => [name, '1000000']),
);

/** Everybody on this machine has one address. */
const highLoginLimits = {
  LOGIN_TRIES_PER_ADDRESS: '1000000',
  LOGIN_TRIES_PER_ACCOUNT: '1000000',
  MAILS_PER_ADDRESS: '1000000',
};

/** Every process of the platform, in the order of the metrics ports. */
export const services: readonly ServiceSpec[] = [
  service('api-gateway', {
    env: ({ ports, secrets }) => ({
      PORT: String(ports.api),
      CHECKOUT_URL: local(ports.checkout),
      API_KEY_PEPPER: secrets.apiKeyPepper,
      ENCRYPTION_KEY: secrets.encryptionKey,
      ...highLimits,
    }),
  }),
  service('group-ledger', {}),
  service('checkout', {
    env: ({ ports, secrets }) => ({
      PORT: String(ports.checkout),
      CHECKOUT_URL: local(ports.checkout),
      API_URL: local(ports.api),
      ENCRYPTION_KEY: secrets.encryptionKey,
      GATEWAY_A_TEST_SCRIPT: `${local(ports.sandbox)}/gateway_a/js`,
      GATEWAY_A_TEST_ORIGINS: local(ports.sandboxGatewayA),
      GATEWAY_B_TEST_FRAME: `${local(ports.sandbox)}/gateway_b/field`,
      GATEWAY_C_TEST_URL: local(ports.sandbox),
    }),
  }),
  service('refund', {}),
  service('gateway-a', {
    folder: 'services/gateway-adapters/stripe',
    migrations: [OUTBOX, GATEWAY],
    env: ({ ports, secrets }) => ({
      PORT: String(ports.callbacksA),
      ENCRYPTION_KEY: secrets.encryptionKey,
      GATEWAY_TEST_URL: local(ports.sandboxGatewayA),
    }),
  }),
  service('gateway-b', {
    folder: 'services/gateway-adapters/checkout-com',
    migrations: [OUTBOX, GATEWAY],
    env: ({ ports, secrets }) => ({
      PORT: String(ports.callbacksB),
      ENCRYPTION_KEY: secrets.encryptionKey,
      GATEWAY_TEST_URL: `${local(ports.sandbox)}/gateway_b/processor`,
      RELAY_TEST_URL: local(ports.sandboxRelay),
    }),
  }),
  service('gateway-c', {
    folder: 'services/gateway-adapters/redsys',
    migrations: [OUTBOX, GATEWAY],
    env: ({ ports, secrets }) => ({
      PORT: String(ports.callbacksC),
      ENCRYPTION_KEY: secrets.encryptionKey,
      GATEWAY_TEST_URL: `${local(ports.sandbox)}/gateway_c/sis`,
    }),
  }),
  service('scheduler', { env: () => ({ TEST_CLOCK_FOLLOWERS: followersOfTestClocks().join(',') }) }),
  service('webhook-dispatcher', {
    schema: 'webhooks',
    env: ({ secrets }) => ({ ENCRYPTION_KEY: secrets.encryptionKey, ALLOW_LOOPBACK_WEBHOOKS: '1' }),
  }),
  service('merchant-dashboard', {
    schema: 'merchant',
    env: ({ ports, secrets, dataDir }) => ({
      PORT: String(ports.dashboard),
      DASHBOARD_URL: local(ports.dashboard),
      API_URL: local(ports.api),
      CHECKOUT_URL: local(ports.checkout),
      API_KEY_PEPPER: secrets.apiKeyPepper,
      ENCRYPTION_KEY: secrets.encryptionKey,
      MAIL_URL: pathToFileURL(join(dataDir, 'mail')).href,
      SANDBOX_URL: local(ports.sandbox),
      SANDBOX_CALLBACKS: callbacksOf(ports).join(','),
      ...highLoginLimits,
    }),
  }),
  service('psp-sandbox', {
    database: 'gateways',
    migrations: ['services/psp-sandbox/migrations'],
    env: ({ ports, secrets }) => ({
      ENCRYPTION_KEY: secrets.encryptionKey,
      PORT: String(ports.sandbox),
      GATEWAY_A_PORT: String(ports.sandboxGatewayA),
      RELAY_PORT: String(ports.sandboxRelay),
    }),
  }),
];

function service(name: string, o: Partial<Omit<ServiceSpec, 'name'>>): ServiceSpec {
  const folder = o.folder ?? `services/${name}`;
  return {
    name,
    folder,
    schema: o.schema ?? name.replaceAll('-', '_'),
    database: o.database ?? 'postgres',
    migrations: o.migrations ?? [OUTBOX, join(folder, 'migrations')],
    env: o.env ?? (() => ({})),
  };
}

/** Every adapter, then those that need to hear of a move after them. */
function followersOfTestClocks(): string[] {
  const adapters = services.filter(({ migrations }) => migrations.includes(GATEWAY));
  return [...adapters.map(({ schema }) => schema), 'psp_sandbox', 'webhooks', 'ledger'];
}

/** Where the sandbox calls each adapter back, in the order of their names. */
function callbacksOf({ callbacksA, callbacksB, callbacksC }: Ports): string[] {
  const ports = { gateway_a: callbacksA, gateway_b: callbacksB, gateway_c: callbacksC };
  return Object.entries(ports).map(([psp, port]) => `${local(port)}/callbacks/${psp}`);
}

const local = (port: number) => `http://127.0.0.1:${port}`;
