import { expect, it } from '@jest/globals';
import { createLogger } from '@gp/telemetry';
import { readiness } from './readiness.ts';
import { buildService } from './service.ts';
import { openShutdown } from './shutdown.ts';

const log = createLogger({ service: 'test', level: 'silent', stream: { write: () => undefined } });
const build = () =>
  buildService({
    ...{ name: 'test', config: {}, log, shutdown: openShutdown(log) },
    ...{ readiness: readiness(), startup: readiness() },
  });

it('a service uses a database when two connections have answered, so that no call waits for the first ones', async () => {
  let asked = 0;
  let [open, most] = [0, 0];
  await build().use({
    ping: async () => {
      asked += 1;
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      if (asked < 4) throw new Error('the database system is starting up');
    },
    close: async () => undefined,
  });
  expect([asked, most]).toEqual([4, 2]);
});
