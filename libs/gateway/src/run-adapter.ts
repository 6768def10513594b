import { openBus, type Bus } from '@gp/bus';
import type { ConfigSchema } from '@gp/config';
import { toProcessName, type GatewayManifest } from '@gp/gateway-registry';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg, type Db } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, failPoint, pgOptions, runService, type Service } from '@gp/service';
import { followTestClock } from '@gp/test-clock';
import { openAccounts } from './accounts.ts';
import type { Adapter } from './adapter.ts';
import { applyCallbacks } from './app/apply-callbacks.ts';
import { carryOutOrders, measureWaitingOrders } from './app/carry-out-orders.ts';
import { measureContradictions } from './app/conclude.ts';
import { deleteCallbacks } from './app/delete-callbacks.ts';
import { reapCredentials } from './app/reap-credentials.ts';
import { receiveCallback } from './app/receive-callback.ts';
import { receiveReturn } from './app/receive-return.ts';
import { recoverCalls } from './app/recover-calls.ts';
import { buildAdapterAccess } from './bus/access.ts';
import { answerCalls } from './bus/answers.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { guardedCalls } from './calls.ts';
import type { AdapterConfig } from './config.ts';
import { listAccountNames } from './db/credentials.ts';
import { listSealedColumns } from './db/sealed-columns.ts';
import { findTestWork, shiftTestRows } from './db/test-clock.ts';
import type { PaymentGateway } from './gateway.ts';
import { callbackRoute } from './http/callback.route.ts';
import { returnRoute } from './http/return.route.ts';
import { findRates } from './fairness/merchant-limits.ts';
import { openBudget } from './token-bucket.ts';

/**
 * Runs the adapter of one gateway: everything but the gateway's own protocol. `gateway` builds that from the
 * configuration; see PaymentGateway for its duties.
 */
export function runAdapter<C extends Readonly<Record<string, string>>, Config extends AdapterConfig>(o: {
  readonly manifest: GatewayManifest;
  readonly config: ConfigSchema<Config>;
  readonly gateway: (config: Config) => PaymentGateway<C>;
}): Promise<void> {
  return runService(toProcessName(o.manifest.code), o.config, async (service) => {
    const { config, log, name } = service;
    const db = await service.use(openPg({ ...pgOptions(config), name }));
    const gateway = o.gateway(config);
    const access = buildAdapterAccess(gateway.psp);
    const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
    await bus.ensureStreams();
    await wireAdapter(service, gateway, { db, bus });
  });
}

/** Connects everything an adapter does to its gateway, a database and a bus. */
export async function wireAdapter<C extends Readonly<Record<string, string>>>(
  service: Service<AdapterConfig>,
  gateway: PaymentGateway<C>,
  { db, bus }: { readonly db: Db; readonly bus: Bus },
): Promise<void> {
  const { config, log, clock } = service;
  const { psp } = gateway;
  const budget = openBudget(findRates(config));
  const breaker = {
    resetMs: config.breakerResetMs,
    volumeThreshold: config.breakerVolume,
    merchantThreshold: config.breakerMerchants,
  };
  const settings = { callTimeoutMs: config.callTimeoutMs, breaker };
  const seal = await openSeal(config);
  const accounts = openAccounts({ db, seal, gateway });
  const calls = await service.use(guardedCalls({ gateway, accounts, budget, settings, log }));
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  const adapter: Adapter<C> = {
    psp,
    gateway,
    calls,
    accounts,
    db,
    log,
    clock,
    settings: config,
    wakeRelay: () => relay.wake(),
  };

  measureContradictions(psp);
  const applying = await service.use(applyCallbacks(adapter));
  const ordering = await service.use(carryOutOrders(adapter));
  const recovering = await service.use(recoverCalls(adapter));
  measureWaitingOrders(adapter);
  const loops = [
    relay,
    outboxRetention(db),
    applying,
    ordering,
    recovering,
    deleteCallbacks(db),
    reapCredentials(db),
    resealRows({ db, seal, log, columns: listSealedColumns(psp) }),
  ];
  for (const loop of loops) service.loop(loop);
  answerCalls(service, bus, adapter);
  for (const subscription of subscriptions(adapter, ordering.take)) service.consume(bus, subscription);
  answerOperator(service, bus, { context: psp, db, wakeRelay: adapter.wakeRelay });
  followTestClock(service, {
    bus,
    db,
    context: psp,
    hasOutbox: true,
    wakeRelay: adapter.wakeRelay,
    shift: (tx, shift) => shiftTestRows(tx, { ...shift, settleWindowMs: config.settleWindowMs }),
    onMoved: applying.wake,
    listAccounts: (merchantId) => listAccountNames(db, { merchantId, mode: 'test' }),
    work: (merchantId, asOf) => findTestWork(db, merchantId, asOf),
  });
  const receive = receiveCallback(adapter, applying.take);
  const routes = [callbackRoute({ psp, now: () => clock.now(), receive })];
  const { browserReturn } = gateway;
  if (browserReturn)
    routes.push(returnRoute({ psp, receive: receiveReturn(adapter, browserReturn, applying.take) }));
  await service.http(routes, { port: config.port, host: config.host });
}
