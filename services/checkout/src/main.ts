import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byOperator, openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, cspReportRoute, failPoint, pgOptions, runService, securityTxtRoutes } from '@gp/service';
import { beginConfirmation } from './app/begin-confirmation.ts';
import { reapMailedPayments } from './app/mails/mail-links.ts';
import { mintSession, createMinter } from './app/mint-session.ts';
import { openPages } from './app/pages.ts';
import { readReturnAddress, reapPayerReturns } from './app/payer-returns.ts';
import { revokeSessions, rollCheckoutLink } from './app/revoke-sessions.ts';
import { reapSessionLimits, sessionLimits } from './app/session-limits.ts';
import { replaceSigningKeys, rotateSigningKeys } from './app/signing-keys.ts';
import { startPayment } from './app/start-payment.ts';
import { access } from './bus/access.ts';
import { buildOrganiserCalls } from './bus/organiser-calls.ts';
import { buildGatewayCalls, buildLedgerCalls } from './bus/service-calls.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { config, toRotationPolicy } from './config.ts';
import { findActiveGateway } from './db/active-gateways.ts';
import { findBrand } from './db/brands.ts';
import { sealedColumns } from './db/sealed-columns.ts';
import { listPublicKeys } from './db/signing-keys.ts';
import { readAddressBook } from './gateways.config.ts';
import { routes } from './http/routes.ts';
import { readWidgetFiles } from './http/widget-files.ts';
import { widgetRoutes } from './http/widget.routes.ts';
import { openMails } from './open-mails.ts';
import { openWeb } from './open-web.ts';

/** Most of them only wait for another try to end. */
const CONFIRMATIONS = 256;
const WEB = dirname(fileURLToPath(import.meta.resolve('@gp/checkout-web/package.json')));
/** The most streams of one group, and of one page with some spare; people do not need more. */
const STREAMS = { perGroup: 200, perToken: 6 };
/** Enough for a page that asks every 3 s, in several tabs, with a margin. */
const PACE = { perSecond: 5, burst: 40 };

await runService('checkout', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  const ledger = buildLedgerCalls(bus);
  const seal = await openSeal(config);
  const parts = { db, ledger, seal, wakeRelay: relay.wake };
  const home = config.checkoutUrl.replace(/\/+$/, '');
  const buildPageUrl = (pageToken: string) => `${home}/c/${pageToken}`;
  const pages = await openPages(join(WEB, 'dist'));
  const mails = openMails(config, { db, ledger, write: pages.writeMail, home, log });
  const start = startPayment({
    notePayment: mails?.notePayment,
    ledger,
    gateways: buildGatewayCalls(bus),
    limits: sessionLimits(db),
    buildPageUrl,
  });
  const confirm = beginConfirmation({
    ledger,
    waitMs: config.confirmWaitMs,
    readReturnAddress: (owner, address) => readReturnAddress(db, owner, address, home),
  });
  const listKeys = () => listPublicKeys(db);
  service.serve(bus, contracts.startPayment, start);
  service.serve(bus, contracts.beginConfirmation, confirm, { concurrency: CONFIRMATIONS });
  service.serve(bus, contracts.mintSession, mintSession(parts));
  service.serve(bus, contracts.revokeSessions, revokeSessions(parts));
  service.serve(bus, contracts.rollCheckoutLink, rollCheckoutLink(parts));
  service.serve(bus, contracts.listSigningKeys, async () => ({ keys: await listKeys() }));
  service.serve(bus, contracts.replaceSigningKeys, byOperator(replaceSigningKeys(parts)));
  answerOperator(service, bus, { context: 'checkout', db, wakeRelay: relay.wake });
  service.loop(relay);
  service.loop(rotateSigningKeys(parts, toRotationPolicy(config)));
  service.loop(resealRows({ db, seal, log, columns: sealedColumns }));
  service.loop(reapSessionLimits(db));
  service.loop(outboxRetention(db));
  service.loop(reapPayerReturns(db));
  for (const loop of mails?.loops ?? []) service.loop(loop);
  service.loop(reapMailedPayments(db));
  for (const subscription of subscriptions(db, mails?.takeEvent ?? null)) service.consume(bus, subscription);
  const web = openWeb({
    db,
    bus,
    pages,
    page: {
      ledger,
      mintFor: createMinter(parts),
      activeGateway: (owner) => findActiveGateway(db, owner),
      findBrand: (owner) => findBrand(db, owner),
      addresses: readAddressBook(config),
      home,
      api: config.apiUrl.replace(/\/+$/, ''),
    },
    organisers: buildOrganiserCalls(bus),
    reminders: mails?.reminders,
    limits: { most: config.maxStreams, perAddress: config.streamsPerAddress, ...STREAMS },
    pace: PACE,
    mints: {
      byAddress: { perSecond: config.mintsPerAddressPerSecond, burst: config.mintsPerAddressBurst },
      byLink: { perSecond: config.mintsPerLinkPerSecond, burst: config.mintsPerLinkBurst },
    },
    organiserActs: { perSecond: config.organiserActsPerMinute / 60, burst: config.organiserActsBurst },
  });
  const widget = widgetRoutes(await readWidgetFiles(join(WEB, 'widget')));
  const { port, host, trustedProxies } = config;
  const found = [cspReportRoute(log), ...securityTxtRoutes(config)];
  const served = [...routes({ listKeys }), ...found, ...web.routes, ...widget];
  service.loop(web.endRevoked);
  service.loop(web.endReplaced);
  await service.http(served, {
    port,
    host,
    publicUrl: home,
    ...(trustedProxies && { trustProxy: trustedProxies }),
  });
});
