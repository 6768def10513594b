import { setTimeout as delay } from 'node:timers/promises';
import { openBus } from '@gp/bus';
import { listSandboxPorts, type PspCode } from '@gp/gateway-registry';
import { openPg } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, pgOptions, type Service } from '@gp/service';
import { followTestClock } from '@gp/test-clock';
import { access as busAccess } from './bus/access.ts';
import { answerPayers } from './bus/answer-payers.ts';
import { openAlarm } from './app/alarm.ts';
import type { PlayedServer, Stage } from './app/gateway.ts';
import { playCall } from './app/play-call.ts';
import { sendCallbacks } from './app/send-callbacks.ts';
import { workOff } from './app/work-off.ts';
import type { Config } from './config.ts';
import { controlRoutes } from './control/routes.ts';
import { accountRegister } from './db/account-register.ts';
import { openBooks, openCallbackQueue, openWorkList } from './db/books.ts';
import { sealedColumns } from './db/sealed-columns.ts';
import { findTestEvents, shiftTestBooks } from './db/test-clock.ts';
import { booksReader, faultSwitch } from './db/tester.ts';
import { playGateways } from './gateways.ts';
import { assetRoutes } from './http/assets.ts';
import { overviewRoutes } from './http/overview.ts';
import { openPost } from './http/post.ts';
import { serve } from './http/serve.ts';

/**
 * The first pause without an alarm; it grows to the loops' longest rest. What falls due then without one is late by so much:
 * work of a later half minute, and of a process that was restarted.
 */
const IDLE_MS = 1_000;
/**
 * Load alone must not refuse a caller: the payment's state would then be unknown, which only faults may cause.
 */
const PATIENCE_MS = 10_000;

/** Opens the sandbox's ports over its books. */
export async function openSandbox(service: Service<Config>): Promise<void> {
  const { config, log, clock: serviceClock, use, loop } = service;
  const clock = () => serviceClock.now();
  const db = await use(openPg({ ...pgOptions(config), name: 'psp-sandbox', connectTimeoutMs: PATIENCE_MS }));
  const alarm = await use(openAlarm(clock));
  const { post } = await use(openPost());
  const stopping = await use(abortOnClose());
  const pause = (ms: number, signal = stopping.signal) =>
    delay(ms, undefined, { signal: AbortSignal.any([signal, stopping.signal]) }).catch(() => undefined);

  const books = openBooks(db, clock, alarm.ringAt);
  const seal = await openSeal(config);
  const accounts = accountRegister(db, seal);
  const { host, confirmationDelayMs } = config;
  const publicUrl = config.publicUrl ?? `http://127.0.0.1:${config.port}`;
  const stage: Stage = {
    books,
    accounts,
    playCall: playCall({ books, log, clock, pause }),
    clock,
    publicUrl: publicUrl.replace(/\/$/, ''),
    confirmationDelayMs,
  };
  const gateways = await playGateways(stage);

  const controls = { accounts, books, gateways, clock, reader: booksReader(db), faults: faultSwitch(db) };
  const access = { token: config.sandboxControlToken, fromLoopback: config.controlFromLoopback };
  const played = [...gateways.values()];
  const routes = [
    ...overviewRoutes(),
    ...assetRoutes(),
    ...controlRoutes(controls, access),
    ...played.flatMap((gateway) => gateway.routes),
  ];
  const main = await use(serve({ routes, host, port: config.port, log }));
  const destinations = new Set(
    config.relayDestinations?.split(',') ?? [`127.0.0.1:${main.port}`, `localhost:${main.port}`],
  );
  for (const [code, { servers = [] }] of gateways) {
    for (const server of servers) {
      await use(server.open({ host, port: findPort(config, code, server), log, destinations }));
    }
  }

  const queue = openCallbackQueue(db, clock, alarm.ringAt);
  const send = sendCallbacks({ queue, accounts, gateways, post, clock, log });
  const work = workOff(openWorkList(db, clock, alarm.ringAt), gateways);
  loop(resealRows({ db, seal, log, columns: sealedColumns }));
  loop({ name: 'callbacks', idleMs: IDLE_MS, runOnce: send, onWake: alarm.onRing });
  loop({ name: 'works', idleMs: IDLE_MS, runOnce: work, onWake: alarm.onRing });

  const { natsUrl } = config;
  if (natsUrl === undefined) return;
  const bus = await use(
    openBus({ ...busOptions({ ...config, natsUrl }), access: busAccess, name: 'psp-sandbox', log }),
  );
  answerPayers(service, bus, { gateways, clock });
  followTestClock(service, {
    bus,
    db,
    context: 'psp_sandbox',
    hasOutbox: false,
    shift: shiftTestBooks,
    onMoved: () => alarm.ringAt(clock()),
    work: (merchantId, asOf) => findTestEvents(db, merchantId, { now: clock(), asOf }),
  });
}

/** Returns the number that the settings give to a port of a gateway. */
function findPort(config: Config, code: PspCode, { port: name }: PlayedServer): number {
  const declared = listSandboxPorts().find((port) => port.code === code && port.name === name);
  if (declared === undefined) throw new Error(`the manifest of ${code} declares no port named ${name}`);
  return config[declared.setting];
}

/** Returns a signal that ends every pause when the service stops. */
function abortOnClose(): { signal: AbortSignal; close(): Promise<void> } {
  const controller = new AbortController();
  return { signal: controller.signal, close: () => Promise.resolve(controller.abort()) };
}
