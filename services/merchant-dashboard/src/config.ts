import { defineConfig, integer, secret, text, type ConfigOf } from '@gp/config';
import { baseConfig } from '@gp/service';

/** What the operator's command line needs too. */
const storageConfig = {
  ...baseConfig,
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

export const config = defineConfig(
  {
    ...storageConfig,
    port: integer({ describe: 'Port of the dashboard', default: 8082, min: 0, max: 65_535 }),
    host: text({
      describe: 'Address the dashboard listens on; 0.0.0.0 in a container',
      default: '127.0.0.1',
    }),
  },
  checkStorage,
);

export const cliConfig = defineConfig(storageConfig, checkStorage);

/** The pepper under which new API keys are stored. */
export function pepperOf(c: StorageConfig): { readonly id: string; readonly key: Buffer } {
  return { id: c.apiKeyPepperId, key: pepperKey(c) };
}
