import { defineConfig, integer, secret, text } from '@gp/config';
import { baseConfig } from '@gp/service';

/** What the operator's command line needs too. */
export const storageConfig = {
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

export const config = defineConfig({
  ...storageConfig,
  port: integer({ describe: 'Port of the dashboard', default: 8082, min: 1, max: 65_535 }),
  host: text({ describe: 'Address the dashboard listens on; 0.0.0.0 in a container', default: '127.0.0.1' }),
});

export const cliConfig = defineConfig(storageConfig);
