import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { answerOperator, measureBacklog, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { failPoint, runService } from '@gp/service';
import { beginConfirmation } from './app/begin-confirmation.ts';
import { mintSession } from './app/mint-session.ts';
import { revokeSessions } from './app/revoke-sessions.ts';
import { reapSessionLimits, sessionLimits } from './app/session-limits.ts';
import { replaceSigningKeys, rotateSigningKeys } from './app/signing-keys.ts';
import { startPayment } from './app/start-payment.ts';
import { gatewaysOn, ledgerOn } from './bus/neighbours.ts';
import { config, rotationOf } from './config.ts';
import { listPublicKeys } from './db/signing-keys.ts';
import { routes } from './http/routes.ts';

/** Most of them only wait for another try to end. */
const CONFIRMATIONS = 256;

await runService('checkout', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name, max: 4 }));
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log }));
  const relay = outboxRelay({ db, bus, log, failPoint });
  const ledger = ledgerOn(bus);
  const parts = { db, ledger, seal: sealWith(config), wakeRelay: relay.wake };
  const start = startPayment({ ledger, gateways: gatewaysOn(bus), limits: sessionLimits(db) });
  const confirm = beginConfirmation({ ledger, waitMs: config.confirmWaitMs });
  const listKeys = () => listPublicKeys(db);
  service.serve(bus, contracts.startPayment, start);
  service.serve(bus, contracts.beginConfirmation, confirm, { concurrency: CONFIRMATIONS });
  service.serve(bus, contracts.mintSession, mintSession(parts));
  service.serve(bus, contracts.revokeSessions, revokeSessions(parts));
  service.serve(bus, contracts.listSigningKeys, async () => ({ keys: await listKeys() }));
  service.serve(bus, contracts.replaceSigningKeys, replaceSigningKeys(parts));
  answerOperator(service, bus, { context: 'checkout', db, wakeRelay: relay.wake });
  measureBacklog(db);
  service.loop(relay);
  service.loop(rotateSigningKeys(parts, rotationOf(config)));
  service.loop(reapSessionLimits(db));
  service.loop(outboxRetention(db));
  await service.http(routes({ listKeys }), { port: config.port, host: config.host });
});
