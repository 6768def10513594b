import {
  defineConfig,
  integer,
  optional,
  readConfig,
  secret,
  text,
  url,
  type ConfigOf,
  type ConfigSchema,
} from '@gp/config';
import { listMailFaults, mailConfig } from '@gp/mail';
import {
  baseConfig,
  databaseConfig,
  operatorKeyConfig,
  readRunningStack,
  runningStackConfig,
  sealConfig,
  securityConfig,
  UsageError,
} from '@gp/service';
import { accessConfig } from './access.config.ts';
import { callbacksPattern, listMissingCallbacks } from './domain/sandbox-callbacks.ts';

/** Settings that the operator's command line needs too. */
const storageConfig = {
  ...baseConfig,
  ...databaseConfig(3),
  apiKeyPepper: secret({
    describe: 'Key of the HMAC under which API keys are stored, base64; the same as the API gateway has',
    minLength: 32,
  }),
  apiKeyPepperId: text({
    describe: 'Name of the pepper, for its rotation',
    default: 'p1',
    pattern: /^[a-z0-9]{1,20}$/,
  }),
};

export type StorageConfig = ConfigOf<typeof storageConfig>;

const PEPPER_BYTES = 32;
const pepperKey = (c: StorageConfig) => Buffer.from(c.apiKeyPepper, 'base64');
const checkStorage = (c: StorageConfig) =>
  pepperKey(c).length < PEPPER_BYTES
    ? [`API_KEY_PEPPER must be at least ${PEPPER_BYTES} bytes in base64`]
    : [];

const http = ['http:', 'https:'];
const place = (describe: string, port: number) =>
  url({ describe, default: `http://127.0.0.1:${port}`, protocols: http });

export const config = defineConfig(
  {
    ...storageConfig,
    ...sealConfig('the secrets of second factors'),
    ...accessConfig,
    ...mailConfig({
      describe:
        'Where mail goes: a mail server, port 587 (smtp:) or 465 (smtps:) by default, or for trying out a folder, whose mail `/mailbox` shows to everybody; without one nobody signs up by mail',
    }),
    ...securityConfig,
    port: integer({ describe: 'Port of the dashboard', default: 8082, min: 0, max: 65_535 }),
    host: text({
      describe: 'Address the dashboard listens on; 0.0.0.0 in a container',
      default: '127.0.0.1',
    }),
    dashboardUrl: place('Where people reach the dashboard; links in mails begin with it', 8082),
    apiUrl: place('Where merchants reach the public API, for the examples the pages show', 8080),
    checkoutUrl: place('Where participants open their pages', 8081),
    pagesFolder: optional(
      text({ describe: 'Folder of the built web application; `web/dist` of this service by default' }),
    ),
    sandboxUrl: optional(
      url({
        describe:
          'The sandbox, where the pages open test accounts for merchants; leave out where there is none',
        protocols: http,
      }),
    ),
    sandboxControlToken: optional(
      secret({ describe: 'Bearer token of the sandbox’s control calls, the same as the sandbox has' }),
    ),
    sandboxCallbacks: optional(
      text({
        describe:
          'Where the sandbox calls the adapter of each gateway: `code=address`, separated by commas. Addresses alone are those of all gateways in the order of their codes',
        pattern: callbacksPattern,
      }),
    ),
  },
  (c) => [
    ...checkStorage(c),
    ...listMailFaults(c),
    ...((c.sandboxUrl === undefined) === (c.sandboxCallbacks === undefined)
      ? []
      : ['SANDBOX_URL and SANDBOX_CALLBACKS go together']),
    ...listMissingCallbacks(c.sandboxCallbacks),
  ],
);
export type DashboardConfig = typeof config extends ConfigSchema<infer C> ? C : never;

/** The command line also has the key of the person who uses it. */
const cliConfig = defineConfig({ ...storageConfig, ...operatorKeyConfig }, checkStorage);
const stackConfig = defineConfig(runningStackConfig);

/** Settings that name an installation; without all of them the command line acts on the stack of this machine. */
const OF_INSTALLATION = ['DATABASE_URL', 'NATS_URL', 'API_KEY_PEPPER'];

/**
 * Reads the settings of the command line, and the stack's own key where it acts on the stack of this machine. Throws a
 * ConfigError, or a UsageError when neither an installation is named nor a stack runs.
 */
export async function readCliConfig(env: NodeJS.ProcessEnv) {
  if (OF_INSTALLATION.some((name) => env[name]))
    return { ...readConfig(cliConfig, env), stackKey: undefined };
  const { gpDataDir } = readConfig(stackConfig, env);
  const stack = await readRunningStack(gpDataDir, OF_INSTALLATION);
  if (!stack.merchants_settings)
    throw new UsageError('the running stack is of an older release: stop it and start it again');
  const own = readConfig(cliConfig, { ...env, ...stack.merchants_settings });
  return { ...own, stackKey: stack.operator_key };
}

/** Returns the pepper under which new API keys are stored. */
export function readPepper(c: StorageConfig): { readonly id: string; readonly key: Buffer } {
  return { id: c.apiKeyPepperId, key: pepperKey(c) };
}
