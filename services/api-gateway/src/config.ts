import { defineConfig, integer, optional, secret, text, url } from '@gp/config';
import { baseConfig, databaseConfig, sealConfig, securityConfig } from '@gp/service';
import { limitSettings } from './limits.config.ts';

export const config = defineConfig({
  ...baseConfig,
  ...databaseConfig(5),
  port: integer({ describe: 'Port of the public API', default: 8080, min: 0, max: 65_535 }),
  host: text({ describe: 'Address the API listens on; 0.0.0.0 in a container', default: '127.0.0.1' }),
  checkoutUrl: url({
    describe: 'Where participants open their pages; `checkout_url` begins with it',
    protocols: ['http:', 'https:'],
  }),
  apiUrl: optional(
    url({
      describe: 'Where clients reach this API; errors link to the reference there, and to nothing without it',
      protocols: ['http:', 'https:'],
    }),
  ),
  apiKeyPepper: secret({
    describe: 'Key of the HMAC under which API keys are known, base64; the same as the dashboard has',
    minLength: 32,
  }),
  previousApiKeyPeppers: optional(
    secret({ describe: 'Peppers from before a rotation, separated by commas, while old keys live' }),
  ),
  ...sealConfig('stored responses'),
  idempotencyLeaseMs: integer({
    describe: 'How long the work of a process that died stays untouched before a retry resumes it, ms',
    // Twice the longest work under a key, a test payment of 28 s: a slow holder's lease is never taken over.
    default: 60_000,
    min: 1_000,
    max: 600_000,
  }),
  ...securityConfig,
  ...limitSettings,
});
