import { byOperator, openBus, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { outboxRelay } from '@gp/outbox';
import { sealWith } from '@gp/seal';
import {
  createOperator,
  patientPg,
  playOperators,
  testDatabase,
  testNats,
  type OwnServer,
} from '@gp/testing';
import { beginConfirmation } from '../../src/app/begin-confirmation.ts';
import { mintSession } from '../../src/app/mint-session.ts';
import { readReturnAddress } from '../../src/app/payer-returns.ts';
import { revokeSessions, rollCheckoutLink } from '../../src/app/revoke-sessions.ts';
import { sessionLimits } from '../../src/app/session-limits.ts';
import { replaceSigningKeys, rotateSigningKeys } from '../../src/app/signing-keys.ts';
import { startPayment } from '../../src/app/start-payment.ts';
import { buildGatewayCalls, buildLedgerCalls } from '../../src/bus/service-calls.ts';
import { listPublicKeys } from '../../src/db/signing-keys.ts';
import { generated } from '../generated.ts';

export type Reserve = RequestOf<typeof contracts.reserveSlots>;
export type Reserved = ResponseOf<typeof contracts.reserveSlots>;
export type Release = RequestOf<typeof contracts.releaseIntent>;
export type Begin = RequestOf<typeof contracts.beginAuthorisation>;
export type Begun = ResponseOf<typeof contracts.beginAuthorisation>;
export type Prepare = RequestOf<ReturnType<typeof contracts.prepareIntent>>;
export type Prepared = ResponseOf<ReturnType<typeof contracts.prepareIntent>>;

export const encryptionKey = Buffer.alloc(32, 5).toString('base64');
/** The schema of checkout, for a database of a test's own. */
export const schemas = [generated.schema];
/** Half a minute of lead and an hour of lingering: what a test need not wait for. */
export const rotation = { rotateAfterMs: 86_400_000, leadMs: 30_000, lingerMs: 3_600_000 };

export const groupId = '0198c3f0-0000-7000-8000-00000000000a';
export const intentId = '0198c3f0-0000-7000-8000-00000000000c';
export const attemptId = '0198c3f0-0000-7000-8000-00000000000d';
export const slotId = '0198c3f0-0000-7000-8000-00000000000e';
export const otherSlotId = '0198c3f0-0000-7000-8000-0000000000e2';
const customerId = '0198c3f0-0000-7000-8000-00000000000f';
const soon = '2030-01-01T00:00:00.000Z';

export const intent: Reserved['intent'] = {
  id: intentId,
  group_id: groupId,
  merchant_id: 'm1',
  mode: 'test',
  customer_id: customerId,
  psp_code: 'gateway_a',
  credential_version: 3,
  amount_minor: '1050',
  currency: 'EUR',
  slot_ids: [slotId],
  state: 'created',
  unknown: false,
  failure: null,
};

/** The payment, as the ledger lists it once it is held. */
export const payment: ResponseOf<typeof contracts.listPayments>['payments'][number] = {
  id: intentId,
  psp_code: 'gateway_a',
  state: 'preauthorised',
  unknown: false,
  disputed: false,
  amount_minor: '1050',
  captured_minor: '0',
  refunded_minor: '0',
  slot_ids: [slotId],
  failure: null,
  created_at: '2026-01-02T03:04:05.000Z',
  customer_id: customerId,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  psp_reference: 'pi_1',
};

const buildPageUrl = (pageToken: string) => `http://checkout.test/c/${pageToken}`;

/** A group of two slots that can be paid until 2030. */
export const found: Required<contracts.FoundGroup> = {
  group: {
    id: groupId,
    merchant_id: 'm1',
    mode: 'test',
    group_name: 'Dinner',
    merchant_order_id: '1234ABCD',
    total_minor: '2100',
    currency: 'EUR',
    expires_at: soon,
    state: 'open',
    metadata: {},
    page_token: 'p'.repeat(22),
    version: 1,
    created_at: soon,
    updated_at: soon,
  },
  facts: { is_collecting: true, awaits_payers: true, is_settled: false },
  slots: [slotId, otherSlotId].map((id, index) => ({
    id,
    sequence_no: index + 1,
    assigned_customer_id: null,
    amount_minor: '1050',
    state: 'unassigned',
    reserved_until: null,
    metadata: {},
    created_at: soon,
    updated_at: soon,
  })),
};

/** The link of its organiser, who may do everything. */
export const organiserToken = 'o'.repeat(22);
/** The ledger that the tests play knows more links of the same group: each has a limit of its own. */
const isOrganisers = (token: string): boolean => token.startsWith('oooo');
export const organised: Required<contracts.FoundGroup> = {
  ...found,
  group: {
    ...found.group,
    organiser: {
      token: organiserToken,
      may: ['remind', 'extend', 'cancel'],
      latest_expires_at: '2030-01-02T12:00:00.000Z',
      link_number: 0,
    },
  },
};

export const start: RequestOf<typeof contracts.startPayment> = {
  merchant_id: 'm1',
  mode: 'test',
  command_id: 'a'.repeat(64),
  fingerprint: 'b'.repeat(64),
  principal: 'secret',
  group_id: groupId,
  customer_email: 'ada@example.com',
  slot_ids: [slotId],
};

export const confirm: RequestOf<typeof contracts.beginConfirmation> = {
  merchant_id: 'm1',
  mode: 'test',
  principal: 'secret',
  group_id: groupId,
  payment_intent_id: intentId,
};

/** The replies of the other services; a test replaces a reply and reads the requests. */
export function usualAnswers() {
  return {
    reserve: async (_r: Reserve): Promise<Reserved> => ({
      intent,
      attempt: { id: attemptId, seq: 1, psp_reference: null },
      reserved_until: soon,
      merchant_order_id: '1234ABCD',
      group_name: 'Dinner',
      page_token: 'p'.repeat(22),
      sandbox_fault: null,
      replayed: false,
    }),
    prepare: async (_r: Prepare, _deadline: number): Promise<Prepared> => ({
      psp_reference: 'pi_1',
      client: { client_secret: 'pi_1_secret_x', publishable_key: 'pk_1' },
    }),
    release: async (_r: Release): Promise<Reserved['intent']> => ({ ...intent, state: 'failed' }),
    find: async (request: RequestOf<typeof contracts.findGroup>): Promise<contracts.FoundGroup> => {
      const { id, merchant_id, mode } = found.group;
      const isOurs = request.group_id === id && request.merchant_id === merchant_id && request.mode === mode;
      if (!isOurs) throw notFound('group payment');
      return found;
    },
    findByPageToken: async ({ page_token }: { page_token: string }): Promise<contracts.FoundGroup> => {
      if (page_token !== found.group.page_token) throw notFound('group payment');
      return found;
    },
    findOrganised: async ({ token }: { token: string }): Promise<contracts.FoundGroup> => {
      if (!isOrganisers(token)) throw notFound('group payment');
      return organised;
    },
    organiserExtend: async (
      r: RequestOf<typeof contracts.organiserExtend>,
    ): Promise<contracts.FoundGroup> => {
      if (!isOrganisers(r.token)) throw notFound('group payment');
      return { ...organised, group: { ...organised.group, expires_at: r.expires_at, version: 2 } };
    },
    organiserCancel: async (
      r: RequestOf<typeof contracts.organiserCancel>,
    ): Promise<contracts.FoundGroup> => {
      if (!isOrganisers(r.token)) throw notFound('group payment');
      const facts = { is_collecting: false, awaits_payers: false, is_settled: true };
      return { ...organised, group: { ...organised.group, state: 'cancelled', version: 2 }, facts };
    },
    rollPageToken: async (_r: RequestOf<typeof contracts.rollPageToken>) => ({
      page_token: 'q'.repeat(22),
      link_number: 1,
    }),
    findIntent: async ({ merchant_id, mode, intent_id }: RequestOf<typeof contracts.findIntent>) => {
      const isOurs = merchant_id === 'm1' && mode === 'test' && intent_id === intentId;
      if (!isOurs) throw notFound('payment intent');
      return intent;
    },
    hideName: async (_r: RequestOf<typeof contracts.hideName>): Promise<object> => ({}),
    listPayments: async (
      _r: RequestOf<typeof contracts.listPayments>,
    ): Promise<ResponseOf<typeof contracts.listPayments>> => ({
      currency: 'EUR',
      payments: [payment],
      next: null,
    }),
    begin: async (_r: Begin): Promise<Begun> => ({
      status: 'begun',
      intent: { ...intent, psp_code: 'gateway_b' },
      attempt: { id: attemptId, seq: 2, psp_reference: null },
      merchant_order_id: '1234ABCD',
      sandbox_fault: 'delay:5',
      traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
    }),
  };
}

export type Answers = ReturnType<typeof usualAnswers>;
export type Asked = { readonly step: keyof Answers; readonly request: unknown };

/** Plays the ledger and the adapters on a bus, noting every question in the order it came. */
export function playNeighbours(bus: Bus, answers: () => Answers, asked: Asked[]) {
  const note = (step: keyof Answers, request: unknown) => void asked.push({ step, request });
  const adapters = (['gateway_a', 'gateway_b'] as const).map((psp) =>
    bus.serve(contracts.prepareIntent(psp), (request, { deadline }) => {
      note('prepare', { psp, ...request });
      return answers().prepare(request, deadline);
    }),
  );
  const ledger = [
    bus.serve(contracts.findGroup, (request) => answers().find(request)),
    bus.serve(contracts.findGroupByPageToken, (request) => answers().findByPageToken(request)),
    bus.serve(contracts.findOrganisedGroup, (request) => answers().findOrganised(request)),
    bus.serve(contracts.organiserExtend, (request) => {
      note('organiserExtend', request);
      return answers().organiserExtend(request);
    }),
    bus.serve(contracts.organiserCancel, (request) => {
      note('organiserCancel', request);
      return answers().organiserCancel(request);
    }),
    bus.serve(contracts.rollPageToken, (request) => {
      note('rollPageToken', request);
      return answers().rollPageToken(request);
    }),
    bus.serve(contracts.findIntent, (request) => answers().findIntent(request)),
    bus.serve(contracts.hideName, (request) => {
      note('hideName', request);
      return answers().hideName(request);
    }),
    bus.serve(contracts.listPayments, (request) => answers().listPayments(request)),
    bus.serve(contracts.reserveSlots, (request) => {
      note('reserve', request);
      return answers().reserve(request);
    }),
    bus.serve(contracts.releaseIntent, (request) => {
      note('release', request);
      return answers().release(request);
    }),
    bus.serve(contracts.beginAuthorisation, (request) => {
      note('begin', request);
      return answers().begin(request);
    }),
  ];
  return { adapters, ledger };
}

/**
 * A bus that asks each question once. The real one asks again after two seconds of silence, which a machine that stalls
 * makes, too: other services would receive twice what was requested once.
 */
const askingOnce = (bus: Bus): Bus => ({
  ...bus,
  call: (contract, request, o) => bus.call({ ...contract, repeatable: false }, request, o),
});

/** Checkout as main.ts wires it, on a NATS of its own, with responders in place of the other services. */
export async function openCheckout(o: { waitMs: number }) {
  const nats: OwnServer = await testNats();
  const database = await testDatabase({ schemas });
  const db = await patientPg({ url: database.url('checkout'), name: 'checkout', max: 4 });
  const bus = askingOnce(await openBus({ servers: nats.url, name: 'checkout' }));
  const operator = createOperator();
  const others = askingOnce(await openBus({ servers: nats.url, name: 'others', operator: operator.signer }));
  playOperators(others, operator);
  const state = { answers: usualAnswers() };
  const asked: Asked[] = [];
  let letGo = (): void => undefined;
  let released = new Promise<void>((resolve) => (letGo = resolve));
  const neighbours = playNeighbours(others, () => state.answers, asked);
  const ledger = buildLedgerCalls(bus);
  await bus.ensureStreams();
  const relay = outboxRelay({ db, bus, log: { info: () => undefined, warn: () => undefined } });
  const parts = { db, ledger, seal: sealWith({ encryptionKey }), wakeRelay: () => undefined };
  const starting = startPayment({
    ledger,
    gateways: buildGatewayCalls(bus),
    limits: sessionLimits(db),
    buildPageUrl,
  });
  bus.serve(contracts.startPayment, starting);
  bus.serve(contracts.mintSession, mintSession(parts));
  bus.serve(contracts.revokeSessions, revokeSessions(parts));
  bus.serve(contracts.rollCheckoutLink, rollCheckoutLink(parts));
  bus.serve(contracts.replaceSigningKeys, byOperator(replaceSigningKeys(parts)));
  const readReturn = (owner: Parameters<typeof readReturnAddress>[1], address: string) =>
    readReturnAddress(db, owner, address, buildPageUrl(''));
  bus.serve(
    contracts.beginConfirmation,
    beginConfirmation({ ledger, waitMs: o.waitMs, readReturnAddress: readReturn }),
  );
  const stop = AbortSignal.timeout(600_000);
  return {
    asked,
    bus,
    db,
    ledger,
    parts,
    nats,
    /** One pass of keeping the keys, by this policy. */
    rotate: (policy = rotation) => rotateSigningKeys(parts, policy).runOnce(stop),
    publicKeys: () => listPublicKeys(db),
    mint: (changed: Partial<RequestOf<typeof contracts.mintSession>> = {}) =>
      others.call(contracts.mintSession, { merchant_id: 'm1', mode: 'test', group_id: groupId, ...changed }),
    revoke: (changed: Partial<RequestOf<typeof contracts.revokeSessions>> = {}) =>
      others.call(contracts.revokeSessions, {
        merchant_id: 'm1',
        mode: 'test',
        group_id: groupId,
        ...changed,
      }),
    roll: (changed: Partial<RequestOf<typeof contracts.rollCheckoutLink>> = {}) =>
      others.call(contracts.rollCheckoutLink, {
        merchant_id: 'm1',
        mode: 'test',
        group_id: groupId,
        command_id: 'c'.repeat(64),
        fingerprint: 'd'.repeat(64),
        actor: 'merchant',
        ...changed,
      }),
    /** Lets the outbox leave. */
    relay: () => relay.runOnce(stop),
    rows: async <T extends object>(sql: string, values: unknown[] = []) =>
      (await db.pool.query<T>(sql, values)).rows,
    steps: () => asked.map(({ step }) => step),
    /** The only question of this kind. */
    question(step: keyof Answers) {
      const found = asked.filter((question) => question.step === step);
      if (found.length !== 1) throw new Error(`${step} was asked ${found.length} times`);
      return found[0]?.request as Record<string, unknown>;
    },
    answer: (changed: Partial<Answers>) => void Object.assign(state.answers, changed),
    /** An answer that does not come while the test lasts. */
    hangs: () => released.then(() => Promise.reject<never>(new Error('nobody waits any more'))),
    reset() {
      letGo();
      released = new Promise((resolve) => (letGo = resolve));
      state.answers = usualAnswers();
      asked.length = 0;
    },
    neighbours,
    others,
    start: (changed: Partial<typeof start> = {}, timeoutMs = 10_000) =>
      others.call(contracts.startPayment, { ...start, ...changed }, { timeoutMs }),
    confirm: (changed: Partial<typeof confirm> = {}, timeoutMs = 10_000) =>
      others.call(contracts.beginConfirmation, { ...confirm, ...changed }, { timeoutMs }),
    async close() {
      letGo();
      await others.close();
      await relay.close();
      await bus.close();
      await nats.stop();
      await db.close();
      await database.drop();
    },
  };
}
