import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus, type OperatorSigner } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { createOperator, eventually, playOperators, type OwnServer } from '@gp/testing';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { readAccess } from '../../platform/bus/identities.ts';
import { openGuardedNats, openIntruder, type Intruder } from './identity.ts';

let nats: OwnServer;
let seeds: Record<string, string>;
let admin: Intruder;
let manager: JetStreamManager;
const seen: string[] = [];

beforeAll(async () => {
  ({ nats, seeds } = await openGuardedNats());
  admin = await openIntruder(nats.url, 'administrator', seeds['administrator']!);
  manager = await jetstreamManager(admin.nc, { checkAPI: false });
  const installation = await openService('installation', 'services/installation');
  await installation.ensureStreams();
  await installation.close();
  // The server itself announces what was asked of it a moment ago; only a client's message is a finding.
  const isOfServer = (subject: string): boolean => subject.startsWith('$JS.EVENT.ADVISORY.');
  admin.nc.subscribe('*.>', {
    callback: (_, m) => void (isOfServer(m.subject) || seen.push(m.subject)),
  });
  await admin.nc.flush();
});
afterAll(async () => {
  await admin?.nc.close();
  await nats?.stop();
});

/** A bus as the service opens it. */
async function openService(
  name: string,
  folder = `services/${name}`,
  operator?: OperatorSigner,
): Promise<Bus> {
  const access = await readAccess(folder);
  const bus = await openBus({ servers: nats.url, name, access, nkeySeed: seeds[name], operator });
  await eventually(() => bus.isConnected() || undefined);
  return bus;
}

const group = randomUUID();
const COMMANDS = [
  contracts.cancelGroup,
  contracts.updateGroup,
  contracts.giveUpCaptures,
  contracts.openRefund,
  contracts.recordOutcome,
  contracts.findGroup,
  contracts.noteGateway,
  contracts.createEndpoint,
  contracts.putCredentials('gateway_a'),
  contracts.revokeSessions,
  contracts.mintSession,
  contracts.requestRefund,
  contracts.resolveTask('ledger'),
  contracts.cancelGroupAsOperator,
  contracts.identifyOperator,
  contracts.addOperatorKey,
  contracts.revokeOperatorKey,
].map(({ subject }) => subject);
const FORGED = [
  `${contracts.apiKeyChanged.subject}.merchant-b`,
  `${contracts.gatewayChanged.subject}.merchant-b`,
  `${contracts.settingsChanged.subject}.merchant-b`,
  `${contracts.sessionEpochRaised.subject}.${group}`,
  contracts.publicEventSubject('payment_intent.captured', group),
  contracts.outcomeRecorded.subject,
  contracts.gatewayOperation('gateway_a', 'capture').subject,
  contracts.fireTimer('ledger').subject,
  `${contracts.groupChanged.subject}.${group}`,
];
const FOREIGN = [
  '>',
  'rpc.>',
  'evt.>',
  'cmd.>',
  '_INBOX.>',
  '_INBOX.*.>',
  '_INBOX.api-gateway.>',
  '$JS.>',
  '$SYS.>',
  contracts.putCredentials('gateway_a').subject,
  contracts.findGroup.subject,
  contracts.apiKeyChanged.filters[0]!,
];
const STREAMS = [
  ...['DELETE', 'PURGE', 'UPDATE', 'CREATE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT'].map(
    (verb) => `$JS.API.STREAM.${verb}.EVENTS`,
  ),
  '$JS.API.STREAM.LIST',
  '$JS.API.DIRECT.GET.EVENTS',
  '$JS.API.CONSUMER.LIST.EVENTS',
  '$JS.API.CONSUMER.DELETE.COMMANDS.ledger-outcomes',
  '$JS.API.CONSUMER.MSG.NEXT.COMMANDS.ledger-outcomes',
  '$JS.API.CONSUMER.CREATE.EVENTS',
  '$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.webhook-events',
  '$JS.API.CONSUMER.CREATE.EVENTS.spy.evt.>',
  '$JS.ACK.COMMANDS.ledger-outcomes.1.1.1.1.1',
];

describe.each(['webhook-dispatcher', 'psp-sandbox'])('a compromised %s', (name) => {
  let intruder: Intruder;
  beforeAll(async () => {
    intruder = await openIntruder(nats.url, name, seeds[name]!);
  });
  afterAll(() => intruder?.nc.close());

  it.each([
    ['it calls no other service: no command of the ledger, no endpoint, no credentials', COMMANDS],
    ['it forges no fact and no order: no key, no payment, no capture', FORGED],
    ['it reaches no stream and no consumer of others', STREAMS],
  ])('%s (M2)', async (_, subjects) => {
    seen.length = 0;
    for (const subject of subjects)
      expect([subject, await intruder.publishes(subject)]).toEqual([subject, true]);
    await admin.nc.flush();
    expect(seen).toEqual([]);
    expect((await manager.streams.info('EVENTS')).state.messages).toBe(0);
    expect((await manager.streams.info('COMMANDS')).state.messages).toBe(0);
  });

  it('a compromised service reads nobody’s calls, answers, facts or credentials (M2, M4)', async () => {
    for (const subject of FOREIGN)
      expect([subject, await intruder.subscribes(subject)]).toEqual([subject, true]);
  });
});

it('a compromised webhook-dispatcher cannot widen its own consumer (M2)', async () => {
  const { nc } = await openIntruder(nats.url, 'webhook-dispatcher', seeds['webhook-dispatcher']!);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const widen = (filter: { filter_subject?: string; filter_subjects?: string[] }): Promise<unknown> =>
    jsm.consumers.add('EVENTS', { durable_name: 'webhook-events', ack_policy: 'explicit', ...filter });
  for (const filter of [
    { filter_subject: 'evt.>' },
    { filter_subject: 'evt.merchant.>' },
    { filter_subjects: ['evt.>'] },
    {},
  ])
    await expect(widen(filter)).rejects.toThrow(/Permissions Violation/);
  await nc.close();
});

it('a service does its own work with its identity: it serves, answers to the caller alone, and consumes (M1)', async () => {
  const [dispatcher, edge] = await Promise.all([
    openService('webhook-dispatcher'),
    openService('api-gateway'),
  ]);
  dispatcher.serve(contracts.deleteEndpoint, ({ id }) => Promise.resolve({ id, deleted: true }));
  const request = { merchant_id: 'm', mode: 'test' as const, id: randomUUID() };
  // A round trip, after which the server knows who serves: before it, only the administrator would receive the call.
  await dispatcher.hasStreams();
  await admin.nc.flush();
  seen.length = 0;
  expect(await edge.call(contracts.deleteEndpoint, request)).toEqual({ id: request.id, deleted: true });
  await admin.nc.flush();
  expect(seen).toEqual([
    contracts.deleteEndpoint.subject,
    expect.stringMatching(/^_INBOX\.api-gateway\.\w+\.[0-9a-f-]{36}$/),
  ]);
  const ledger = await openService('group-ledger');
  const subject = contracts.publicEventSubject('payment_intent.captured', group);
  const [{ durable, ...wanted } = { durable: '', stream: 'EVENTS' as const, filters: [] }] =
    (await readAccess('services/webhook-dispatcher')).consumes ?? [];
  const taken: string[] = [];
  const consumer = dispatcher.consume({
    ...wanted,
    durable,
    maxInFlight: 1,
    handler: (m) => Promise.resolve(void taken.push(m.subject)),
    onDead: () => Promise.resolve(),
  });
  const payload = {
    id: randomUUID(),
    type: 'payment_intent.captured',
    created: new Date().toISOString(),
    merchant_id: 'm',
    mode: 'test',
    group_id: group,
    sequence: 1,
    data: {},
  };
  await ledger.publish({ id: randomUUID(), subject, mode: 'test', payload });
  await eventually(() => taken.length > 0 || undefined);
  expect(taken).toEqual([subject]);
  await consumer.close();
  await Promise.all([dispatcher.close(), edge.close(), ledger.close()]);
});

it('the seed of the operators’ identity gives no command without a person’s key, and the seed of another service gives none even with one (Q67, M2)', async () => {
  const ann = createOperator('ann');
  const ledger = await openService('group-ledger');
  playOperators(ledger, ann);
  const acted: string[] = [];
  ledger.serve(contracts.giveUpCaptures, ({ group_id }, { operator }) => {
    acted.push(operator?.name ?? 'nobody');
    return Promise.resolve({ group_id, group_state: 'capture_failed' });
  });
  await ledger.hasStreams();
  for (const signer of [undefined, createOperator('ann').signer]) {
    const thief = await openService('operator', 'services/operator', signer);
    const giveUp = thief.call(contracts.giveUpCaptures, { group_id: group });
    await expect(giveUp).rejects.toMatchObject({ code: 'unauthorized' });
    await thief.close();
  }
  const { subject } = contracts.giveUpCaptures;
  const body = JSON.stringify({ group_id: group });
  for (const name of ['api-gateway', 'merchant-dashboard']) {
    const intruder = await openIntruder(nats.url, name, seeds[name]!);
    expect([name, await intruder.publishes(subject, body)]).toEqual([name, true]);
    await intruder.nc.close();
  }
  expect(acted).toEqual([]);
  const operator = await openService('operator', 'services/operator', ann.signer);
  await operator.call(contracts.giveUpCaptures, { group_id: group });
  expect(acted).toEqual(['ann']);
  await Promise.all([operator.close(), ledger.close()]);
});

it('a callee answers a request once, and nobody who did not ask (M4)', async () => {
  const callee = await openIntruder(nats.url, 'webhook-dispatcher', seeds['webhook-dispatcher']!);
  const caller = await openIntruder(nats.url, 'api-gateway', seeds['api-gateway']!);
  const inbox = '_INBOX.api-gateway.waiting';
  const answers: string[] = [];
  caller.nc.subscribe(`${inbox}.*`, { callback: (_, m) => void answers.push(m.string()) });
  await caller.nc.flush();
  expect(await callee.publishes(`${inbox}.1`, 'forged')).toBe(true);
  const refused = new Promise<boolean>((resolve) => {
    callee.nc.subscribe(contracts.listEvents.subject, {
      callback: (_, m) => {
        m.respond('right');
        void callee.publishes(m.reply ?? '', 'a second one').then(resolve);
      },
    });
  });
  await callee.nc.flush();
  caller.nc.publish(contracts.listEvents.subject, '{}', { reply: `${inbox}.2` });
  expect(await refused).toBe(true);
  await caller.nc.flush();
  expect(answers).toEqual(['right']);
  await Promise.all([callee.nc.close(), caller.nc.close()]);
});

it('a server admits nobody without an identity (M1)', async () => {
  const bus = await openBus({ servers: nats.url, name: 'stranger' });
  expect(bus.isConnected()).toBe(false);
  await bus.close();
});
