import { fitting, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { CommandOf, GroupView, GroupWithSlots, RequestOf, ResponseOf, SlotView } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { allocate } from '@gp/money';
import { uuidv7 } from 'uuidv7';
import { serveCustomers } from './fake-customers.ts';
import { mine, serveEndpoints, type OwnEndpoint } from './fake-endpoints.ts';
import { fakeBalance, fakeStatement } from './fake-money.ts';
import { payerAnswers, servePayers, type Authenticated, type Played } from './fake-payers.ts';
import { fakePayments } from './fake-payments.ts';
import { serveDeliveries, serveEvents } from './fake-dispatcher.ts';

type Create = CommandOf<typeof contracts.createGroup>;
type Pay = RequestOf<typeof contracts.startPayment>;
type Begin = RequestOf<typeof contracts.beginConfirmation>;
type Refund = RequestOf<typeof contracts.requestRefund>;
type Payments = typeof contracts.listPaymentsOfGroups;
type Statements = typeof contracts.findStatement;
type Card = RequestOf<ReturnType<typeof contracts.confirmIntent>>;
type Mode = contracts.Mode;

/** The requests that other services received, and their replies; a test overrides an answer by assigning it. */
export type Fakes = ReturnType<typeof fakeNeighbours>;

/**
 * The other services as responders on a real NATS: enough of a ledger, a checkout, an adapter and a dispatcher
 * to answer in the right shapes, to recognise command ids, and to keep merchants and modes apart.
 */
export function fakeNeighbours(bus: Bus) {
  const groups = new Map<string, { command: Create; view: GroupWithSlots }>();
  const endpoints = new Map<string, OwnEndpoint>();
  const received = {
    create: [] as Create[],
    pay: [] as Pay[],
    begin: [] as Begin[],
    card: [] as Card[],
    played: [] as Played[],
    authenticated: [] as Authenticated[],
    list: [] as object[],
    payments: [] as RequestOf<Payments>[],
    customers: [] as object[],
    balance: [] as object[],
    statement: [] as RequestOf<Statements>[],
    dispatcher: [] as object[],
    refund: [] as Refund[],
    roll: [] as object[],
    rollOrganiser: [] as object[],
    cancel: [] as object[],
    update: [] as object[],
  };

  const findMine = (request: { group_id: string; merchant_id: string; mode: Mode }): GroupWithSlots => {
    const found = [...groups.values()].find(({ view }) => view.group.id === request.group_id);
    if (!found || !isInScopeOf(request)(found.view.group)) throw notFound('group payment');
    return found.view;
  };
  const answers = {
    create: (command: Create): Promise<GroupWithSlots & { replayed: boolean }> => {
      const known = groups.get(command.command_id);
      if (known) return Promise.resolve({ ...known.view, replayed: true });
      const late = Date.parse(command.expires_at) <= Date.now();
      if (late) throw invalid('expires_at', 'expiry must be in the future');
      const far = Date.parse(command.expires_at) > Date.now() + 7 * 86_400_000;
      if (far) throw invalid('expires_at', 'expiry cannot be more than 7 days in the future');
      const view = newGroup(command);
      groups.set(command.command_id, { command, view });
      return Promise.resolve({ ...view, replayed: false });
    },
    pay: (request: Pay): Promise<ResponseOf<typeof contracts.startPayment>> =>
      Promise.resolve({
        psp_code: 'gateway_b',
        payment_intent_id: uuidv7(),
        amount_minor: '1050',
        currency: 'EUR',
        slot_ids: request.slot_ids ?? [uuidv7()],
        client: { card_field_team_id: 'team_1', card_field_app_id: 'app_1' },
      }),
    /** What is known of a payment, over the usual. */
    intent: (_intentId: string): Partial<contracts.IntentView> => ({}),
    listed: fakePayments,
    ...payerAnswers,
    /** The group a payment is of. */
    findGroupId: (_intentId: string): string => uuidv7(),
    begin: (request: Begin): Promise<ResponseOf<typeof contracts.beginConfirmation>> =>
      Promise.resolve({ status: 'begun', ticket: makeTicket(request) }),
    card: (_request: Card): Promise<ResponseOf<ReturnType<typeof contracts.confirmIntent>>> =>
      Promise.resolve({ status: 'preauthorised' }),
    refund: (_request: Refund): Promise<contracts.RefundAnswer> =>
      Promise.resolve({
        refund_id: uuidv7(),
        refunded: [{ intent_id: uuidv7(), slot_ids: [uuidv7()] }],
        failed: [],
        group_state: 'refunded',
      }),
    cancel: (request: RequestOf<typeof contracts.cancelGroup>): Promise<GroupWithSlots> => {
      const { group, slots } = findMine(request);
      return Promise.resolve({ group: { ...group, state: 'cancelled' }, slots });
    },
    update: (request: RequestOf<typeof contracts.updateGroup>): Promise<GroupWithSlots> => {
      const { group, slots } = findMine(request);
      const { group_name, metadata, expires_at } = { ...group, ...request };
      return Promise.resolve({ group: { ...group, group_name, metadata, expires_at }, slots });
    },
    roll: ({ group_id }: RequestOf<typeof contracts.rollCheckoutLink>) => {
      const page_token = 'q'.repeat(35);
      for (const known of groups.values())
        if (known.view.group.id === group_id) Object.assign(known.view.group, { page_token, link_number: 1 });
      return Promise.resolve({ page_token });
    },
    rollOrganiser: (request: RequestOf<typeof contracts.rollOrganiserToken>) => {
      const { organiser } = findMine(request).group;
      if (!organiser) throw notFound('organiser');
      Object.assign(organiser, { token: 'w'.repeat(35), link_number: 1 });
      return Promise.resolve({ token: organiser.token, link_number: organiser.link_number });
    },
    balance: fakeBalance,
    statement: fakeStatement,
    payments: ({ group_ids, limit }: RequestOf<Payments>): Promise<ResponseOf<Payments>> =>
      Promise.resolve({ groups: group_ids.map(() => fakePayments({ limit })) }),
    list: (
      request: RequestOf<typeof contracts.listGroups>,
    ): Promise<ResponseOf<typeof contracts.listGroups>> => {
      const mine = [...groups.values()].map(({ view }) => view.group).filter(isInScopeOf(request));
      const newest = mine
        .toReversed()
        .filter((g) => request.state === undefined || g.state === request.state);
      const { after, limit } = request;
      const start = after ? newest.findIndex(({ id }) => id === after.id) + 1 : request.offset;
      const page = fitting(newest.slice(start, start + limit));
      const last = start + page.length < newest.length ? page.at(-1) : undefined;
      const next = last ? { created_at: last.created_at, id: last.id } : null;
      return Promise.resolve({ groups: page, total: newest.length, next });
    },
  };

  const payers = servePayers(bus, received, answers);
  const serving = [
    ...payers,
    bus.serveBatch(contracts.createGroup, (commands) =>
      Promise.all(
        commands.map(async ({ command }) => {
          received.create.push(command);
          try {
            return await answers.create(command);
          } catch (error) {
            return error instanceof AppError ? error : new AppError('internal_error');
          }
        }),
      ),
    ),
    bus.serve(contracts.findGroup, (request) => Promise.resolve(findMine(request))),
    bus.serve(contracts.cancelGroup, (request) => (received.cancel.push(request), answers.cancel(request))),
    bus.serve(contracts.updateGroup, (request) => (received.update.push(request), answers.update(request))),
    bus.serve(contracts.listPayments, (request) => {
      const { group } = findMine(request);
      return Promise.resolve({ currency: group.currency, ...answers.listed(request) });
    }),
    bus.serve(
      contracts.listPaymentsOfGroups,
      (request) => (received.payments.push(request), answers.payments(request)),
    ),
    bus.serve(contracts.findBalance, (request) => (received.balance.push(request), answers.balance(request))),
    bus.serve(
      contracts.findStatement,
      (request) => (received.statement.push(request), answers.statement(request)),
    ),
    bus.serve(contracts.listGroups, (request) => (received.list.push(request), answers.list(request))),
    bus.serve(contracts.startPayment, (request) => (received.pay.push(request), answers.pay(request))),
    bus.serve(contracts.findIntent, (request) =>
      Promise.resolve({
        ...makeIntent(request, answers.findGroupId(request.intent_id)),
        ...answers.intent(request.intent_id),
      }),
    ),
    bus.serve(
      contracts.beginConfirmation,
      (request) => (received.begin.push(request), answers.begin(request)),
    ),
    bus.serve(
      contracts.confirmIntent('gateway_b'),
      (request) => (received.card.push(request), answers.card(request)),
    ),
    bus.serve(contracts.rollCheckoutLink, (request) => (received.roll.push(request), answers.roll(request))),
    bus.serve(
      contracts.rollOrganiserToken,
      (request) => (received.rollOrganiser.push(request), answers.rollOrganiser(request)),
    ),
    bus.serve(contracts.requestRefund, (request) => (received.refund.push(request), answers.refund(request))),
    ...serveCustomers(bus, received.customers),
    ...serveEndpoints(bus, endpoints),
    ...serveDeliveries(bus, (request) => mine(endpoints, request), received.dispatcher),
    ...serveEvents(bus, received.dispatcher),
  ];
  const usual = { ...answers };
  return {
    received,
    answers,
    /** The slots of a group as they are answered, for a test to change. */
    slotsOf: (id: string): SlotView[] =>
      [...groups.values()].find(({ view }) => view.group.id === id)?.view.slots ?? [],
    /** Leaves an installation without a sandbox, for good. */
    endSandbox: () => Promise.all(payers.map((closable) => closable.close())),
    /** The usual answers again, and nothing received. */
    reset() {
      Object.assign(answers, usual);
      for (const list of Object.values(received)) list.length = 0;
    },
    close: () => Promise.all(serving.map((closable) => closable.close())),
  };
}

const isInScopeOf =
  (request: { merchant_id: string; mode: Mode }) =>
  (group: GroupView): boolean =>
    group.merchant_id === request.merchant_id && group.mode === request.mode;

function invalid(param: string, reason: string): AppError {
  return new AppError('validation_error', {
    message: `Validation error: ${param}: ${reason}`,
    param,
    details: [{ param, reason }],
  });
}

export function makeTicket(request: Begin): contracts.AuthorisationTicket {
  return {
    merchant_id: request.merchant_id,
    mode: request.mode,
    group_id: request.group_id,
    intent_id: request.payment_intent_id,
    attempt_id: uuidv7(),
    seq: 1,
    amount_minor: '1050',
    currency: 'EUR',
    credential_version: 1,
    sandbox_fault: null,
    merchant_order_id: 'GP-1',
  };
}

function makeIntent(
  { intent_id, ...scope }: RequestOf<typeof contracts.findIntent>,
  group_id: string,
): contracts.IntentView {
  return {
    ...scope,
    id: intent_id,
    group_id,
    customer_id: uuidv7(),
    psp_code: 'gateway_b',
    credential_version: 1,
    amount_minor: '1050',
    currency: 'EUR',
    slot_ids: [uuidv7()],
    state: 'created',
    unknown: false,
    failure: null,
  };
}

function newGroup(command: Create): GroupWithSlots {
  const { merchant_id, mode, group_name, total_minor, currency, expires_at, metadata, distribution } =
    command;
  const { client_reference = null, organiser, capture_minimum, max_tip_minor } = command;
  const at = new Date().toISOString();
  const id = uuidv7();
  const amounts =
    distribution.type === 'custom'
      ? distribution.slots.map((slot) => slot.amount_minor)
      : (allocate(BigInt(total_minor), distribution.number_of_slots) ?? []).map(String);
  const readMetadata = (i: number): Record<string, unknown> =>
    (distribution.type === 'custom' ? distribution.slots[i]?.metadata : distribution.slot_metadata?.[i]) ??
    {};
  const readLabel = (i: number): string | null | undefined =>
    distribution.type === 'custom' ? distribution.slots[i]?.label : distribution.slot_labels?.[i];
  const slots = amounts.map((amount_minor, i): SlotView => ({
    id: uuidv7(),
    sequence_no: i + 1,
    assigned_customer_id: null,
    amount_minor,
    ...(readLabel(i) && { label: readLabel(i) as string }),
    state: 'unassigned',
    reserved_until: null,
    metadata: readMetadata(i),
    created_at: at,
    updated_at: at,
  }));
  const group: GroupView = {
    id,
    merchant_id,
    mode,
    group_name,
    merchant_order_id: `GP-${id.slice(-8)}`,
    client_reference,
    total_minor,
    currency,
    expires_at,
    state: 'open',
    metadata,
    page_token: `pt_${id.replaceAll('-', '')}`,
    ...(organiser && { organiser: { ...organiser, token: `ot_${id.replaceAll('-', '')}`, link_number: 0 } }),
    ...(capture_minimum && { capture_minimum }),
    ...(max_tip_minor !== undefined && { max_tip_minor }),
    version: 1,
    created_at: at,
    updated_at: at,
  };
  return { group, slots };
}
