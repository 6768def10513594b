import { expect, it } from '@jest/globals';
import { portsFrom } from './ports.ts';
import type { Secrets } from './secrets.ts';
import { serviceProcess } from './service-process.ts';
import { services } from './services.ts';

const secrets: Secrets = {
  apiKeyPepper: '',
  operatorKey: '',
  encryptionKeys: {},
  roles: {},
} as unknown as Secrets;
const urls = {
  postgres: 'postgres://127.0.0.1/gp',
  gateways: 'postgres://127.0.0.1/gp',
  nats: 'nats://127.0.0.1',
  natsSeeds: {},
};

/** Where the mails of two services go with these settings of the stack. */
const findMailUrls = (env: Record<string, string>): unknown[] =>
  ['checkout', 'merchant-dashboard'].map((name) => {
    const spec = services.find((each) => each.name === name);
    if (!spec) throw new Error(`there is no ${name}`);
    const settings = { root: '/gp', env, ports: portsFrom({}), dataDir: '/gp/.data', secrets };
    return serviceProcess(spec, settings, { urls, metricsPort: 1 }).env['MAIL_URL'];
  });

const FOLDER = 'file:///gp/.data/mail';
const SERVER = 'smtp://relay.example';

it.each([
  ['the mails of the dashboard alone', {}, [undefined, FOLDER]],
  ['the mails of the dashboard alone, as the person wants it', { GP_PAYER_MAILS: '0' }, [undefined, FOLDER]],
  ['the mails to payers, too', { GP_PAYER_MAILS: '1' }, [FOLDER, FOLDER]],
  ['no mail with a mail server', { GP_PAYER_MAILS: '1', GP_SET_MAIL_URL: SERVER }, [SERVER, SERVER]],
  [
    'no mail to a payer with a mail server for them',
    { GP_PAYER_MAILS: '1', GP_SET_CHECKOUT__MAIL_URL: SERVER },
    [SERVER, FOLDER],
  ],
  [
    'no mail to a payer where the dashboard shows none',
    { GP_PAYER_MAILS: '1', GP_SET_MERCHANT_DASHBOARD__MAIL_URL: SERVER },
    [undefined, SERVER],
  ],
])('the folder of a stack gets %s (Q109)', (_what, env, expected) => {
  expect(findMailUrls(env)).toEqual(expected);
});
