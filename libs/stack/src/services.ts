import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openOperatorSigner } from '@gp/bus';
import {
  findManifest,
  findGatewayFolder,
  toProcessName,
  pspCodes,
  listSandboxPorts,
  type PspCode,
  type SandboxFacts,
} from '@gp/gateway-registry';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** The parameters of one service in the stack: its folder, its schema and its own settings. */
export type ServiceSpec = {
  readonly name: string;
  readonly folder: string;
  readonly schema: string;
  /**
   * The database that holds its schema; the sandbox may have a separate one because it simulates other companies.
   */
  readonly database: 'postgres' | 'gateways';
  /** Folders of SQL, relative to the repository, in the order they are applied. */
  readonly migrations: readonly string[];
  /** Whether it stores sealed rows, for which it gets an encryption key of its own. */
  readonly seals: boolean;
  readonly env: (o: ServiceSurroundings) => Record<string, string>;
};

/** What the settings of a service are made from. */
export type ServiceSurroundings = {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly dataDir: string;
  /** Whether payers are mailed into the folder of the dashboard's mails, where the merchant wants it. */
  readonly mailsPayers: boolean;
};

const OUTBOX = 'libs/outbox/migrations';
const GATEWAY = 'libs/gateway/migrations';

/**
 * A stack on one machine is for trials and measurements, so its limits are too high to delay a client. `GP_SET_<NAME>`
 * lowers any of them.
 */
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
    'RATE_LIMIT_GROUP_PER_SECOND',
    'RATE_LIMIT_GROUP_BURST',
    'RATE_LIMIT_PAYERS_PER_SECOND',
    'RATE_LIMIT_PAYERS_BURST',
    'RATE_LIMIT_ADDRESS_PER_SECOND',
    'RATE_LIMIT_ADDRESS_BURST',
    'PAYMENTS_PER_SESSION',
    'PAYMENTS_PER_ADDRESS',
    'CARD_TESTING_DECLINES_PER_PAYER',
    'CARD_TESTING_DECLINES_PER_GROUP',
    'CARD_TESTING_DECLINES_PER_CLIENT',
    'ABANDONED_RESERVATIONS_PER_ADDRESS',
  ].map((name) => [name, '1000000']),
);

/** A stack on one machine shows where the contact appears; nobody reads this address. */
const trialContact = { SECURITY_CONTACT: 'mailto:security@platform.example' };

/** All clients on this machine have one address. */
const highLoginLimits = {
  LOGIN_TRIES_PER_ADDRESS: '1000000',
  LOGIN_TRIES_PER_ACCOUNT: '1000000',
  MAILS_PER_ADDRESS: '1000000',
};

/** All payers on this machine have one address, too. */
const highVisitLimits = {
  STREAMS_PER_ADDRESS: '1000000',
  MINTS_PER_ADDRESS_PER_SECOND: '1000000',
  MINTS_PER_ADDRESS_BURST: '1000000',
  MINTS_PER_LINK_PER_SECOND: '1000000',
  MINTS_PER_LINK_BURST: '1000000',
  ORGANISER_ACTS_PER_MINUTE: '1000000',
  ORGANISER_ACTS_BURST: '1000000',
};

/** The limits that a stack on one machine raises; an empty `GP_SET_<NAME>` gives one back the value of an installation. */
export const raisedLimits: readonly string[] = Object.keys({
  ...highLimits,
  ...highLoginLimits,
  ...highVisitLimits,
});

/** Every process of the platform, in the order of the metrics ports. */
export const services: readonly ServiceSpec[] = [
  service('api-gateway', {
    seals: true,
    env: ({ ports, secrets }) => ({
      PORT: String(ports.api),
      CHECKOUT_URL: local(ports.checkout),
      API_URL: local(ports.api),
      API_KEY_PEPPER: secrets.apiKeyPepper,
      ...trialContact,
      ...highLimits,
    }),
  }),
  service('group-ledger', {
    env: ({ secrets }) => ({ FIRST_OPERATOR: `local:${openOperatorSigner(secrets.operatorKey).key}` }),
  }),
  service('checkout', {
    seals: true,
    env: ({ ports, dataDir, mailsPayers }) => ({
      PORT: String(ports.checkout),
      CHECKOUT_URL: local(ports.checkout),
      API_URL: local(ports.api),
      ...(mailsPayers && { MAIL_URL: mailFolder(dataDir) }),
      ...trialContact,
      ...highVisitLimits,
      ...pageSettings(ports),
    }),
  }),
  service('refund', {}),
  ...pspCodes.map(adapter),
  service('scheduler', {}),
  service('webhook-dispatcher', {
    schema: 'webhooks',
    seals: true,
    env: () => ({ ALLOW_LOOPBACK_WEBHOOKS: '1' }),
  }),
  service('merchant-dashboard', {
    schema: 'merchant',
    seals: true,
    env: ({ ports, secrets, dataDir }) => ({
      PORT: String(ports.dashboard),
      DASHBOARD_URL: local(ports.dashboard),
      API_URL: local(ports.api),
      CHECKOUT_URL: local(ports.checkout),
      API_KEY_PEPPER: secrets.apiKeyPepper,
      MAIL_URL: mailFolder(dataDir),
      SANDBOX_URL: local(ports.sandbox),
      SANDBOX_CALLBACKS: listCallbacks(ports).join(','),
      ...trialContact,
      ...highLoginLimits,
    }),
  }),
  service('psp-sandbox', {
    database: 'gateways',
    migrations: ['services/psp-sandbox/migrations'],
    seals: true,
    env: ({ ports }) => ({
      PORT: String(ports.sandbox),
      CONTROL_FROM_LOOPBACK: '1',
      ...Object.fromEntries(
        listSandboxPorts().map(({ name, setting }) => [setting, String(ports.sandboxPorts[name])]),
      ),
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
    seals: o.seals ?? false,
    env: o.env ?? (() => ({})),
  };
}

/** Builds the adapter of a gateway, which calls the sandbox in test mode. */
function adapter(code: PspCode): ServiceSpec {
  const { adapterSettings } = findManifest(code).sandbox;
  return service(toProcessName(code), {
    folder: findGatewayFolder(code),
    migrations: [OUTBOX, GATEWAY],
    seals: true,
    env: ({ ports }) => ({
      PORT: String(ports.callbacks[code]),
      ...sandboxSettings(ports, adapterSettings),
    }),
  });
}

/** Returns the settings with which the checkout page uses the sandbox, for all gateways. */
function pageSettings(ports: Ports): Record<string, string> {
  const settings = pspCodes.map((code) => findManifest(code).sandbox.pageSettings);
  return Object.fromEntries(settings.flatMap((part) => Object.entries(sandboxSettings(ports, part))));
}

/** Returns settings that point to a port of the sandbox. */
function sandboxSettings(ports: Ports, settings: SandboxFacts['pageSettings']): Record<string, string> {
  const buildAddress = ({ port, path }: { port: string; path: string }) =>
    local(port === 'main' ? ports.sandbox : (ports.sandboxPorts[port] ?? NaN)) + path;
  return Object.fromEntries(Object.entries(settings).map(([name, place]) => [name, buildAddress(place)]));
}

/** Returns each adapter's callback address for the sandbox, in the form of the dashboard's setting. */
function listCallbacks({ callbacks }: Ports): string[] {
  return pspCodes.map((code) => `${code}=${local(callbacks[code])}/callbacks/${code}`);
}

/** Returns the address of the folder into which the services write their mails. */
const mailFolder = (dataDir: string): string => pathToFileURL(join(dataDir, 'mail')).href;

const local = (port: number) => `http://127.0.0.1:${port}`;
