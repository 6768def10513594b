import { defineConfig, integer, optional, secret, text, url } from '@gp/config';
import { identityConfig, natsUrl } from '@gp/service';
import { PAID_OVER } from './paid-over.ts';

/** The settings that each task of an installation reads from its environment. */
export const configurations = {
  migrate: defineConfig({
    adminDatabaseUrl: secret({ describe: 'Postgres, with a user that may make roles and schemas' }),
    schema: text({
      describe: 'Schema to bring up to date, and the role of its service',
      pattern: /[a-z_]{1,63}/,
    }),
    rolePassword: secret({ describe: 'Password of that role', minLength: 16 }),
    directories: text({ describe: 'Folders of migrations, in order, separated by commas' }),
  }),
  streams: defineConfig({
    natsUrl: natsUrl(),
    ...identityConfig,
    streamReplicas: integer({ describe: 'Copies of each stored message', default: 1, min: 1, max: 5 }),
  }),
  'smoke-test': defineConfig({
    services: text({
      describe: 'Services with HTTP, `name=address` separated by commas',
      pattern: /[a-z-]+=https?:\/\/[^\s,=]+(,[a-z-]+=https?:\/\/[^\s,=]+)*/,
    }),
    apiKey: optional(
      secret({
        describe: `Test key of a merchant whose ${PAID_OVER} is the sandbox; pays a group`,
      }),
    ),
  }),
  'demo-group': defineConfig({
    apiUrl: url({ describe: 'Where the API is' }),
    dashboardUrl: url({ describe: 'Where the dashboard is, with its mailbox' }),
    sandboxUrl: url({ describe: 'Where the sandbox is' }),
  }),
};
