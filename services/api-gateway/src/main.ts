import { openBus } from '@gp/bus';
import { publicApi } from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, failPoint, pgOptions, runService, securityTxtRoutes } from '@gp/service';
import { openAccess } from './app/callers/access.ts';
import { followEvents } from './app/events/follow-events.ts';
import { confirmPayment } from './app/payments/confirm-payment.ts';
import { testPayments } from './app/payments/test-payments.ts';
import { onceOnly } from './app/idempotency/once-only.ts';
import { reapIdempotencyKeys } from './app/idempotency/reap-idempotency-keys.ts';
import { openRequestLog } from './app/request-logs/request-log.ts';
import { reapRequestLogs } from './app/request-logs/reap-request-logs.ts';
import { requestLogs } from './app/request-logs/request-logs.ts';
import { access as busAccess } from './bus/access.ts';
import { answerRequestLogs } from './bus/answer-request-logs.ts';
import { buildServiceCalls } from './bus/service-calls.ts';
import { followChanges, subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';
import { idempotencyStore } from './db/idempotency-keys.ts';
import { insertRequestLogs } from './db/request-logs.ts';
import { sealedColumns } from './db/sealed-columns.ts';
import { crossOrigin } from './http/request/cors.ts';
import { groupPaymentViews } from './http/group-payments/group-payment.view.ts';
import { referenceRoutes } from './http/reference.routes.ts';
import { routes } from './http/routes.ts';
import { requestLogging } from './http/request/request-logging.ts';
import { openLimits } from './limits.ts';

/** Returns the address without a slash at its end. */
const plain = (address: string): string => address.replace(/\/+$/, '');

await runService('api-gateway', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access: busAccess, name, log }));
  const peppers = [config.apiKeyPepper, ...(config.previousApiKeyPeppers?.split(',') ?? [])].filter(Boolean);
  const store = idempotencyStore(db, config.idempotencyLeaseMs);
  const services = buildServiceCalls(bus);
  const access = openAccess({ db, services, publish: bus.publish, peppers });
  followChanges(bus, access.directories);
  for (const subscription of subscriptions(db)) service.consume(bus, subscription);
  for (const reporter of access.reporters) service.loop(reporter);
  service.loop(reapIdempotencyKeys(db));
  const requestLog = await service.use(openRequestLog({ write: (rows) => insertRequestLogs(db, rows) }));
  service.loop(requestLog.loop);
  service.loop(reapRequestLogs(db));
  service.loop(outboxRetention(db));
  const seal = await openSeal(config);
  service.loop(resealRows({ db, seal, log, columns: sealedColumns }));
  // The outbox holds only messages that an operator replays; the relay keeps one connection.
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  service.loop(relay);
  answerOperator(service, bus, { context: 'api_gateway', db, wakeRelay: relay.wake });
  answerRequestLogs(service, bus, requestLogs(db));
  const cors = crossOrigin({ origins: access.directories.origins, home: config.checkoutUrl });
  const limits = openLimits(config, bus);
  service.loop(limits.sharing);
  const addresses = {
    api: plain(config.apiUrl ?? `http://${config.host}:${config.port}`),
    checkout: plain(config.checkoutUrl),
  };
  const confirm = confirmPayment(services);
  const reference = config.apiUrl && { docsUrl: `${addresses.api}/docs` };
  const parts = {
    seal,
    authenticate: access.authenticate,
    cors,
    admit: limits.admit,
    admitPayment: limits.admitPayment,
    admitPayer: limits.admitPayer,
    notePayment: limits.notePayment,
    admitStream: limits.admitStream,
    once: onceOnly({ store, seal, log, ...reference }),
    confirm,
    testPayments: testPayments({ services, confirm, returnUrl: `${addresses.checkout}/` }),
    services,
    findOrganiserRights: access.directories.origins.findOrganiserRights,
    followEvents: followEvents({ services }),
    views: groupPaymentViews(config.checkoutUrl),
    requestLogs: requestLogs(db),
  };
  const preflights = cors.preflights(Object.values(publicApi.operations));
  const served = [
    ...routes(parts),
    ...preflights,
    ...referenceRoutes(addresses),
    ...securityTxtRoutes(config),
  ];
  const { port, host, trustedProxies } = config;
  // A browser refuses plain http from a page that came over https, so the API is reached as the pages are.
  const publicUrl = config.checkoutUrl;
  await service.http(served, {
    port,
    host,
    publicUrl,
    around: requestLogging(requestLog),
    ...reference,
    ...(trustedProxies && { trustProxy: trustedProxies }),
  });
});
