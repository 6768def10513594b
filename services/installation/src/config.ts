import { defineConfig, flag, integer, optional, secret, text, url } from '@gp/config';
import { identityConfig, natsUrl } from '@gp/service';
import { PAID_OVER } from './paid-over.ts';
import { listFolderPlanFaults } from './secrets/folder-secrets.ts';
import { listPlanFaults } from './secrets/plan.ts';

const waiting = {
  waitSeconds: integer({
    describe: 'How long to try again while the server is away, seconds',
    default: 0,
    min: 0,
    max: 3_600,
  }),
};

const plan = text({
  describe:
    'What each key of each secret is made of, in JSON: `key`, `password`, `seed`, a public key, or a text',
});

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
    ...waiting,
  }),
  'make-secrets': defineConfig(
    {
      apiServer: url({ describe: 'The API of the cluster' }),
      namespace: text({ describe: 'Namespace of the secrets', pattern: /[a-z0-9-]{1,63}/ }),
      accountFolder: text({
        describe: 'Folder with the `token` of an account that may read and write these secrets',
      }),
      plan,
    },
    (config) => listPlanFaults(config.plan),
  ),
  'make-secret-files': defineConfig(
    {
      folder: text({ describe: 'Folder in which each secret is a folder with the file `settings.env`' }),
      plan,
    },
    (config) => listFolderPlanFaults(config.plan),
  ),
  streams: defineConfig({
    natsUrl: natsUrl(),
    ...identityConfig,
    streamReplicas: integer({ describe: 'Copies of each stored message', default: 1, min: 1, max: 5 }),
    ...waiting,
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
    signUp: flag({
      describe:
        'Without a key: signs a merchant up at a dashboard that shows its mail, and pays a group of it',
      default: false,
    }),
  }),
  'demo-group': defineConfig({
    apiUrl: url({ describe: 'Where the API is' }),
    dashboardUrl: url({ describe: 'Where the dashboard is, with its mailbox' }),
    sandboxUrl: url({ describe: 'Where the sandbox is' }),
  }),
};
