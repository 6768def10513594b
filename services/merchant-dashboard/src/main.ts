import { openBus } from '@gp/bus';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, cspReportRoute, failPoint, pgOptions, runService, securityTxtRoutes } from '@gp/service';
import { endRolledKeys } from './app/settings/api-keys.ts';
import { readPages } from './app/pages.ts';
import { openMailQueue } from './app/mail/mail-queue.ts';
import { reapMailed } from './app/mail/reap-mailed.ts';
import { takeEndpointFailing } from './app/mail/endpoint-notices.ts';
import { takeTrouble } from './app/mail/trouble-notices.ts';
import { reapPasskeyChallenges } from './app/account/passkey-challenges.ts';
import { reapSessions } from './app/account/sessions.ts';
import { publishBusinessNames } from './app/settings/business-names.ts';
import { verifyConnections } from './app/settings/verify-connections.ts';
import { reapTries } from './app/account/tries.ts';
import { toStreamLimits } from './access.config.ts';
import { changeStreams } from './app/live/change-streams.ts';
import { endStreams } from './app/live/end-streams.ts';
import { access } from './bus/access.ts';
import { buildServiceCalls } from './bus/service-calls.ts';
import { answerAudit } from './bus/answer-audit.ts';
import { hearChanges } from './bus/hear-changes.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { config, readPepper } from './config.ts';
import { sealedColumns } from './db/sealed-columns.ts';
import { pageRoutes } from './http/pages.routes.ts';
import { withSecurityHeaders } from './http/request/headers.ts';
import { routes } from './http/routes.ts';
import { buildWebParts, openMail, resolvePagesFolder } from './web-parts.ts';

await runService('merchant-dashboard', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  const seal = await openSeal(config);
  const { deliver, mailbox } = openMail(config, log);
  const mailer = deliver && (await service.use(Promise.resolve(openMailQueue({ db, seal, deliver, log }))));
  const changes = changeStreams({ limits: toStreamLimits(config) });
  hearChanges(bus, changes);
  const web = { ...buildWebParts(config), mailer, mailbox, changes };
  const shared = {
    db,
    seal,
    wakeRelay: relay.wake,
    services: buildServiceCalls(bus),
    pepper: readPepper(config),
  };
  answerOperator(service, bus, { context: 'merchant', db, wakeRelay: relay.wake });
  answerAudit(service, bus, db);
  const mailing = mailer && { queue: mailer, dashboard: web.addresses.dashboard };
  const takers = mailing && { event: takeTrouble(db, mailing), endpoint: takeEndpointFailing(db, mailing) };
  for (const subscription of subscriptions(db, takers)) service.consume(bus, subscription);
  const loops = [
    relay,
    endRolledKeys(shared),
    reapSessions(db),
    reapTries(db),
    reapPasskeyChallenges(db),
    endStreams(db, changes),
    verifyConnections(shared),
    publishBusinessNames(shared),
    reapMailed(db),
    ...(mailer ? [mailer.loop] : []),
    outboxRetention(db),
    resealRows({ db, seal, log, columns: sealedColumns }),
  ];
  for (const loop of loops) service.loop(loop);
  const pages = await readPages(resolvePagesFolder(config));
  if (pages.html === undefined) log.warn({}, 'the web application was not built; only its routes are served');
  const found = withSecurityHeaders([cspReportRoute(log), ...securityTxtRoutes(config)]);
  const served = [...routes({ ...shared, ...web }), ...found, ...pageRoutes(pages)];
  const { port, host, trustedProxies } = config;
  const publicUrl = config.dashboardUrl;
  await service.http(served, {
    port,
    host,
    publicUrl,
    ...(trustedProxies && { trustProxy: trustedProxies }),
  });
});
