import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED } from '../bus/files.ts';
import { processes, root } from '../processes.ts';
import { findProcess, findPublishedPort, renderSetting, values } from './quick-start.ts';
import { ADMIN, buildSecretsPlan, DATABASE } from './secrets-plan.ts';

/** The entry of one container below `services`. */
export type Container = Readonly<Record<string, unknown>>;
type Containers = Readonly<Record<string, Container>>;

/** The user of our image, and the group of the files with secrets. */
const NONROOT = '65532';
/** The user `postgres` of its image. */
const POSTGRES = '999';
const NODE = '/nodejs/bin/node';
const METRICS_PORT = '9464';
/** Where a container finds its own secrets. */
const FOLDER = '/etc/group-payments';
const SECRETS_FILE = `${FOLDER}/settings.env`;
/** Folders of our image, whose owner a new volume takes over. */
const VOLUMES = '/volumes';

const names = Object.keys(processes);
const bus = { NATS_URL: 'nats://nats:4222', ALLOW_PLAIN_NATS: 'true' };

const completed = (...others: readonly string[]) => wait(others, 'service_completed_successfully');
const healthy = (...others: readonly string[]) => wait(others, 'service_healthy');
const wait = (others: readonly string[], condition: string) =>
  Object.fromEntries(others.map((name) => [name, { condition }]));

/** The folder with the secrets of one container: it has no other one. */
const mountSecrets = (name: string) => ({
  type: 'volume',
  source: 'secrets',
  target: FOLDER,
  read_only: true,
  volume: { subpath: name },
});
const mountVolume = (source: string, target: string) => ({ type: 'volume', source, target });
/** A folder in memory for one user. Engines differ in whose it is, and for whom, when this does not say it. */
const inMemory = (folder: string, user: string) => `${folder}:uid=${user},gid=${user},mode=0700`;

/** A file of our image, run with the secrets of its container in the environment. */
const run = (file: string, ...options: readonly string[]) => [`--env-file=${SECRETS_FILE}`, ...options, file];
/** A program of another image, the same way. */
const runOther = (command: string) => ['sh', '-c', `set -a && . ${SECRETS_FILE} && exec ${command}`];

const healthcheck = (test: readonly string[]) => ({
  test: ['CMD', ...test],
  interval: '10s',
  timeout: '5s',
  retries: 6,
  start_period: '2m',
  start_interval: '1s',
});

/** The image has no shell and no curl. */
const isReady = `process.exit((await fetch('http://127.0.0.1:${METRICS_PORT}/readyz')).ok ? 0 : 1)`;

/** What every container has: nothing that it could misuse. */
export const closed = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true };
/** What every program of our image has, beside `closed`. */
export const program = { image: '${GP_IMAGE:-group-payments:dev}', user: `${NONROOT}:${NONROOT}` };
/** What every process of the platform has, beside `program`: time for the longest work when it is to end. */
export const service = {
  restart: 'unless-stopped',
  stop_grace_period: '30s',
  networks: ['default', 'servers'],
  healthcheck: healthcheck([NODE, '--input-type=module', '--eval', isReady]),
};

/** Both servers, without copies and TLS: they are reached in one network of one machine only. */
export const servers: Containers = {
  postgres: {
    image: values.bundled.postgres.image,
    user: `${POSTGRES}:${POSTGRES}`,
    group_add: [NONROOT],
    restart: 'unless-stopped',
    stop_grace_period: '1m',
    entrypoint: runOther('docker-entrypoint.sh postgres -c max_connections=200'),
    environment: { POSTGRES_DB: DATABASE, POSTGRES_USER: ADMIN },
    networks: ['servers'],
    volumes: [mountVolume('postgres', '/var/lib/postgresql'), mountSecrets('postgres')],
    tmpfs: [inMemory('/tmp', POSTGRES), inMemory('/var/run/postgresql', POSTGRES)],
    // By an address: while a server is set up, it listens on a socket only.
    healthcheck: healthcheck([
      'pg_isready',
      `--username=${ADMIN}`,
      `--dbname=${DATABASE}`,
      '--host=127.0.0.1',
    ]),
    depends_on: completed('secrets'),
  },
  nats: {
    image: values.bundled.nats.image,
    user: `${NONROOT}:${NONROOT}`,
    restart: 'unless-stopped',
    // Another configuration is read by another container: Docker Compose does not look into mounted files.
    labels: {
      'checksum/config': createHash('sha256')
        .update(readFileSync(join(root, BUNDLED)))
        .digest('hex'),
    },
    entrypoint: runOther('nats-server --config=/etc/nats/nats.conf'),
    networks: ['servers'],
    volumes: [
      mountVolume('nats', '/data'),
      mountSecrets('nats'),
      {
        type: 'bind',
        source: `./${BUNDLED}`,
        target: '/etc/nats/nats.conf',
        read_only: true,
      },
    ],
    healthcheck: healthcheck(['wget', '-q', '-O', '/dev/null', 'http://127.0.0.1:8222/healthz']),
    depends_on: completed('secrets'),
  },
};

/** Containers that end before the platform starts. */
export const tasks: Containers = {
  secrets: {
    build: { context: '.', target: 'run' },
    command: ['services/installation/src/make-secret-files.js'],
    environment: {
      FOLDER: `${VOLUMES}/secrets`,
      PLAN: `${JSON.stringify(buildSecretsPlan(), null, 2)}\n`,
    },
    network_mode: 'none',
    volumes: [mountVolume('secrets', `${VOLUMES}/secrets`), mountVolume('nats', `${VOLUMES}/nats`)],
  },
  ...Object.fromEntries(names.map((name) => [`migrate-${name}`, describeMigration(name)])),
  streams: {
    command: run('services/installation/src/streams.js'),
    environment: bus,
    networks: ['servers'],
    volumes: [mountSecrets('streams')],
    depends_on: { ...completed('secrets'), ...healthy('nats') },
  },
};

/** Every process of the platform. */
export const platform: Containers = Object.fromEntries(names.map((name) => [name, describeProcess(name)]));

/** Programs that a person runs: `docker compose run --rm <name>`. */
export const errands: Containers = {
  'demo-group': {
    profiles: ['errands'],
    command: ['services/installation/src/demo-group.js'],
    environment: {
      API_URL: buildAddress('api-gateway'),
      DASHBOARD_URL: buildAddress('merchant-dashboard'),
      SANDBOX_URL: buildAddress('psp-sandbox'),
    },
    networks: ['default'],
    depends_on: healthy(...names),
  },
  'smoke-test': {
    profiles: ['errands'],
    command: ['services/installation/src/smoke-test.js'],
    environment: {
      SERVICES: names
        .filter((name) => findProcess(name).ports?.['http'])
        .map((name) => `${name}=${buildAddress(name)}`)
        .join(','),
      SIGN_UP: 'true',
    },
    networks: ['default'],
    depends_on: healthy(...names),
  },
  operator: {
    profiles: ['errands'],
    entrypoint: [NODE, ...run('services/operator/src/cli.js')],
    environment: bus,
    networks: ['servers'],
    volumes: [mountSecrets('operator')],
    depends_on: completed('streams'),
  },
};

function describeMigration(name: string): Container {
  const { schema, migrations } = findProcess(name);
  return {
    command: run('services/installation/src/migrate.js'),
    environment: { SCHEMA: schema, DIRECTORIES: migrations.join(',') },
    networks: ['servers'],
    volumes: [mountSecrets(`migrate-${name}`)],
    depends_on: { ...completed('secrets'), ...healthy('postgres') },
  };
}

function describeProcess(name: string): Container {
  const { folder, ports, hasMailbox } = findProcess(name);
  const published = findPublishedPort(name);
  return {
    command: run(`${folder}/src/main.js`, '--max-semi-space-size=8'),
    environment: listSettings(name),
    ...(published !== undefined && { ports: [`127.0.0.1:${published}:${ports?.['http']?.number ?? ''}`] }),
    volumes: [mountSecrets(name)],
    // The mailbox goes with the container, as it goes with the pod of the chart.
    ...(hasMailbox && { tmpfs: [inMemory('/var/mailbox', NONROOT)] }),
    depends_on: completed(`migrate-${name}`, 'streams'),
  };
}

/** As the chart does: addresses, ports, and what it sets for the process; an empty text is no setting. */
function listSettings(name: string): Readonly<Record<string, string>> {
  const { schema, ports = {}, set, setForSandbox } = findProcess(name);
  const listeners = Object.values(ports);
  const templates = Object.entries({ ...set, ...setForSandbox });
  const settings = {
    DATABASE_URL: `postgres://${schema}@postgres:5432/${DATABASE}`,
    ...bus,
    METRICS_PORT,
    ...(listeners.length > 0 && { HOST: '0.0.0.0' }),
    ...Object.fromEntries(listeners.map(({ setting, number }) => [setting, String(number)])),
    ...Object.fromEntries(templates.map(([setting, template]) => [setting, renderSetting(template)])),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}

/** The address of a process for other containers. */
function buildAddress(name: string): string {
  return `http://${name}:${findProcess(name).ports?.['http']?.number ?? ''}`;
}
