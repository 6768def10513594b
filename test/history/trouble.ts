import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { send } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { services } from '../support/services.ts';
import type { Random } from './random.ts';
import { count, type ClientRecord } from './record.ts';

const OPERATIONS = ['prepare', 'authorise', 'capture', 'void', 'refund', 'query', 'callback'] as const;
const FAULTS = [
  'delay:800',
  'drop_request',
  'drop_response',
  'http_500',
  'http_500_after_effect',
  'rate_limit',
  'duplicate',
  'reorder',
  'lose',
  'malformed',
  'decline',
  'async_failed',
] as const;

/** Plays a fault of some gateway on the next few calls, again and again. */
export async function playFaults(o: {
  own: OwnStack;
  gateways: readonly string[];
  record: ClientRecord;
  random: Random;
  isOver: () => boolean;
}): Promise<void> {
  const url = `${o.own.stack.sandbox}/control/faults`;
  while (!o.isOver()) {
    await delay(o.random.between(100, 700));
    const gateway = o.random.pick(o.gateways);
    const operation = o.random.pick(OPERATIONS);
    const fault = o.random.pick(FAULTS);
    const body = { gateway, operation, fault, times: o.random.between(1, 2) };
    // Some faults make no sense on some operations: the sandbox says so.
    const answer = await send('POST', url, body).catch(() => undefined);
    if (answer?.status === 204) count(o.record, `fault ${fault}`);
  }
  await calm(o.own);
}

/** Every gateway behaves again. */
export async function calm(own: OwnStack): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; ; await delay(300)) {
    const url = `${own.stack.sandbox}/control/faults`;
    const answer = await send('DELETE', url).catch(() => undefined);
    if (answer?.status === 204) return;
    if (Date.now() > giveUpAt) throw new TimeoutError('the sandbox does not answer');
  }
}

/** Kills one process after the other without warning, the servers under them less often. */
export async function killProcesses(o: {
  own: OwnStack;
  pauseMs: readonly [number, number];
  record: ClientRecord;
  random: Random;
  isOver: () => boolean;
}): Promise<void> {
  while (!o.isOver()) {
    await delay(o.random.between(...o.pauseMs));
    const name = o.random.chance(0.15) ? o.random.pick(['nats', 'postgres']) : o.random.pick(services);
    count(o.record, `kill ${name}`);
    await o.own.opened.processes.get(name)?.kill();
  }
}
