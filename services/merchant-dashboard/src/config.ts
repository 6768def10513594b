import {
  defineConfig,
  integer,
  optional,
  secret,
  text,
  url,
  type ConfigOf,
  type ConfigSchema,
} from '@gp/config';
import { baseConfig, databaseConfig, operatorKeyConfig, sealConfig, securityConfig } from '@gp/service';
import { accessConfig } from './access.config.ts';
import { listMailFaults, mailConfig } from './mail.config.ts';
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
    ...mailConfig,
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
export const cliConfig = defineConfig({ ...storageConfig, ...operatorKeyConfig }, checkStorage);

/** Returns the pepper under which new API keys are stored. */
export function readPepper(c: StorageConfig): { readonly id: string; readonly key: Buffer } {
  return { id: c.apiKeyPepperId, key: pepperKey(c) };
}
