import { join } from 'node:path';
import { execPath } from 'node:process';
import { inImage } from './in-image.ts';
import { programFile } from './program.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceSpec } from './services.ts';
import type { Settings, Urls } from './settings.ts';
import type { ProcessSpec } from './supervisor.ts';

/**
 * Builds the start of a service: as one program (`programFile`), with its own role, and no more of our environment than it needs;
 * with `GP_IMAGE` as a container of that image instead.
 */
export function serviceProcess(
  spec: ServiceSpec,
  { root, env, ports, dataDir, secrets }: Settings,
  o: { urls: Urls; metricsPort: number },
): ProcessSpec {
  const process: ProcessSpec = {
    name: spec.name,
    command: execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=8',
      programFile(join(root, spec.folder, 'src/main.ts')),
    ],
    cwd: root,
    env: {
      PATH: env['PATH'],
      ...databaseSettings(spec, o.urls, secrets),
      NATS_URL: o.urls.nats,
      ALLOW_PLAIN_NATS: 'true',
      NATS_NKEY_SEED: o.urls.natsSeeds[spec.name],
      METRICS_PORT: String(o.metricsPort),
      // Compiled code loaded from disk saves every process the type stripper: 27 MB and half a second each.
      NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(dataDir, 'compile-cache'),
      ...(spec.seals && sealSettings(secrets, spec.name)),
      ...spec.env({ ports, secrets, dataDir, mailsPayers: wantsPayerMails(env) }),
      ...passedThrough(env, spec.name),
    },
  };
  const image = env['GP_IMAGE'];
  if (image === undefined) return process;
  const name = `gp-${ports.api}-${spec.name}`;
  return inImage(image, { name, entry: join(spec.folder, 'src/main.js'), process });
}

/** A service works through the pooler where there is one, and holds the sessions it needs past it. */
function databaseSettings(spec: ServiceSpec, urls: Urls, secrets: Secrets): Record<string, string> {
  const direct = buildDatabaseUrl(spec, urls, secrets);
  if (urls.pooler === undefined || spec.database !== 'postgres') return { DATABASE_URL: direct };
  const pooled = new URL(direct);
  pooled.host = new URL(urls.pooler).host;
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: direct };
}

/** Returns the address of a service's database, with the service's own role. */
export function buildDatabaseUrl(spec: ServiceSpec, urls: Urls, secrets: Secrets): string {
  const database = new URL(urls[spec.database]);
  database.username = spec.schema;
  database.password = secrets.roles[spec.schema] ?? '';
  return database.href;
}

/** Payers' mails go where the dashboard shows them, unless a person has set where its mails go. */
const wantsPayerMails = (env: NodeJS.ProcessEnv): boolean =>
  env['GP_PAYER_MAILS'] === '1' && !env['GP_SET_MERCHANT_DASHBOARD__MAIL_URL'];

/** A stack that began with one key for all services still opens what that one sealed. */
function sealSettings({ encryptionKeys, encryptionKey: shared }: Secrets, name: string): NodeJS.ProcessEnv {
  return { ENCRYPTION_KEY: encryptionKeys[name], ...(shared && { PREVIOUS_ENCRYPTION_KEYS: shared }) };
}

/**
 * Settings that a person may set: these by name and any other as `GP_SET_<NAME>` for all services of the stack, and as
 * `GP_SET_<SERVICE>__<NAME>` for one, such as `GP_SET_CHECKOUT__MAIL_URL`.
 */
const PASSED = /^(GP_FAIL_POINT.*|LOG_LEVEL|OTEL_.*|TRACE_.*|NODE_OPTIONS)$/;
const GIVEN = /^GP_SET_(?:(?<service>[A-Z_]+?)__)?(?<name>.+)$/;
function passedThrough(env: NodeJS.ProcessEnv, serviceName: string): NodeJS.ProcessEnv {
  const service = serviceName.toUpperCase().replaceAll('-', '_');
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const groups = GIVEN.exec(name)?.groups;
      const isOfAnother = groups?.['service'] !== undefined && groups['service'] !== service;
      if (isOfAnother) return [];
      const given = groups?.['name'];
      return given !== undefined || PASSED.test(name) ? [[given ?? name, value]] : [];
    }),
  );
}
