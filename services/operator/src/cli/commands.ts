import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Mode, Operated, PspCode } from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';
import { findUnknownPayments } from '../app/find-unknown-payments.ts';
import { cancelGroup } from '../app/cancel-group.ts';
import { findGroup, findGroupsOfPayer } from '../app/find-group.ts';
import { gather } from '../app/gather.ts';
import { showGroup } from '../app/show-group.ts';
import { exportAudit, verifyAudit } from '../app/verify-audit.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const buildChoicePattern = (words: readonly string[]): RegExp => new RegExp(`^(${words.join('|')})$`);

type Option = {
  readonly pattern: RegExp;
  /** Completes the sentence "must be …". */
  readonly is: string;
  readonly sample: string;
  readonly isFlag?: true;
};
const option = (pattern: RegExp, is: string, sample: string): Option => ({ pattern, is, sample });
const flag: Option = { pattern: /^/, is: 'alone', sample: '', isFlag: true };

/** All options of commands, with the form each must have. */
export const options = {
  all: flag,
  as: option(/^.{1,100}$/, 'your name', 'NAME'),
  email: option(/^\S{1,319}@\S{1,319}$/, 'an address', 'ADDRESS'),
  file: option(/^.{1,4096}$/, 'the path of a file', 'FILE'),
  from: option(INSTANT, 'an instant with its offset, 2030-01-31T12:00:00Z', 'INSTANT'),
  group: option(UUID, 'an id', 'ID'),
  intent: option(UUID, 'an id', 'ID'),
  letter: option(/^\d{1,18}$/, 'the number of a dead letter', 'NUMBER'),
  limit: option(/^(1?\d{1,2}|200)$/, 'at most 200', 'NUMBER'),
  merchant: option(/^\S{1,64}$/, 'the id of a merchant', 'ID'),
  mode: option(buildChoicePattern(['test', 'live']), 'test or live', 'test|live'),
  order: option(/^.{1,255}$/, 'the order id of a merchant', 'ORDER'),
  note: option(/^.{1,1000}$/s, 'a word on how', 'TEXT'),
  psp: option(buildChoicePattern(pspCodes), 'a gateway', pspCodes.join('|')),
  reference: option(/^.{1,200}$/, 'the name of a payment at the gateway', 'REFERENCE'),
  run: option(UUID, 'an id', 'ID'),
  service: option(buildChoicePattern(contracts.OPERATED), `one of ${contracts.OPERATED.join(', ')}`, 'NAME'),
  task: option(/^\S{1,400}$/, 'the key of a task', 'KEY'),
  to: option(INSTANT, 'an instant with its offset, 2030-01-31T12:00:00Z', 'INSTANT'),
} as const satisfies Record<string, Option>;
export type OptionName = keyof typeof options;

export type Given = { readonly [O in OptionName]?: string };

/** One command: its required and optional options, its description, and its action. */
export type Command = {
  readonly does: string;
  readonly needs: readonly OptionName[];
  readonly takes: readonly OptionName[];
  readonly run: (bus: Bus, given: Given) => Promise<unknown>;
};

/** Returns an option that `parseCommandLine` has found to be present. */
const the = (text: string | undefined): string => text ?? '';
const parseLimit = (given: Given): number => Number(given.limit ?? 50);
const readContext = (given: Given): Operated => given.service as Operated;
const parseInstant = (text: string | undefined): string => new Date(the(text)).toISOString();
/** Republishing a day of messages takes longer than a query. */
const LONG_MS = 600_000;

export const commands: Readonly<Record<string, Command>> = {
  'tasks list': {
    does: 'what waits for a person, of every service or of one; --all shows what was resolved, too',
    needs: [],
    takes: ['service', 'all', 'limit'],
    run: (bus, given) =>
      gather(readContext(given), 'tasks', async (context) => {
        const request = { resolved: Boolean(given.all), limit: parseLimit(given) };
        return (await bus.call(contracts.listTasks(context), request)).tasks;
      }),
  },
  'tasks resolve': {
    does: 'ends a task with a word on how; it opens again when the matter comes up again',
    needs: ['service', 'task', 'note', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.resolveTask(readContext(given)), {
        key: the(given.task),
        note: the(given.note),
        actor: the(given.as),
      }),
  },
  'dead-letters list': {
    does: 'messages that were given up, of every service or of one; --all shows what was replayed, too',
    needs: [],
    takes: ['service', 'all', 'limit'],
    run: (bus, given) =>
      gather(readContext(given), 'letters', async (context) => {
        const request = { replayed: Boolean(given.all), limit: parseLimit(given) };
        return (await bus.call(contracts.listDeadLetters(context), request)).letters;
      }),
  },
  'dead-letters replay': {
    does: 'has a service handle a dead message again',
    needs: ['service', 'letter', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.replayDeadLetter(readContext(given)), {
        id: the(given.letter),
        actor: the(given.as),
      }),
  },
  'outbox republish': {
    does: 'publishes again what a service sent from one instant to another, for a stream that lost it',
    needs: ['service', 'from', 'to', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(
        contracts.republishOutbox(readContext(given)),
        { from: parseInstant(given.from), to: parseInstant(given.to), actor: the(given.as) },
        { timeoutMs: LONG_MS },
      ),
  },
  'group show': {
    does: 'everything that is known of a group: state, slots, payments, orders, postings, timers, tasks',
    needs: ['group'],
    takes: [],
    run: (bus, given) => showGroup(bus, the(given.group)),
  },
  'group find': {
    does: 'the group of an order of a merchant, with its id and state',
    needs: ['merchant', 'mode', 'order'],
    takes: [],
    run: (bus, given) =>
      findGroup(bus, {
        merchant_id: the(given.merchant),
        mode: given.mode as Mode,
        merchant_order_id: the(given.order),
      }),
  },
  'group cancel': {
    does: 'cancels a group of which nothing was captured; its holds are released',
    needs: ['group', 'as'],
    takes: [],
    run: (bus, given) => cancelGroup(bus, the(given.group), the(given.as)),
  },
  'captures retry': {
    does: 'captures again what failed for good while its hold is alive',
    needs: ['group', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.retryCaptures, { group_id: the(given.group), actor: the(given.as) }),
  },
  'captures give-up': {
    does: 'releases the holds that failed captures kept',
    needs: ['group', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.giveUpCaptures, { group_id: the(given.group), actor: the(given.as) }),
  },
  'payments find': {
    does: 'the payment that a gateway calls by a reference, with its merchant, mode and group',
    needs: ['psp', 'reference'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.findPaymentByReference(given.psp as PspCode), {
        psp_reference: the(given.reference),
      }),
  },
  'payments ask': {
    does: 'has the gateway asked now about every try of a payment; the answer changes what it must',
    needs: ['intent', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.askGateway, { intent_id: the(given.intent), actor: the(given.as) }),
  },
  'payers find': {
    does: 'the newest groups of which a payer started a payment, with their ids and states',
    needs: ['merchant', 'mode', 'email'],
    takes: [],
    run: (bus, given) =>
      findGroupsOfPayer(bus, {
        merchant_id: the(given.merchant),
        mode: given.mode as Mode,
        customer_email: the(given.email),
      }),
  },
  'payers forget': {
    does: 'takes a payer’s address and name away for good; what was paid stays, and is nobody’s',
    needs: ['merchant', 'mode', 'email', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.forgetCustomer, {
        merchant_id: the(given.merchant),
        mode: given.mode as Mode,
        email: the(given.email),
        actor: the(given.as),
      }),
  },
  'reconcile run': {
    does: 'compares the ledger with a gateway’s books for a merchant, or shows the comparison under way',
    needs: ['merchant', 'mode', 'psp', 'as'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.startReconciliation, {
        merchant_id: the(given.merchant),
        mode: given.mode as Mode,
        psp_code: given.psp as PspCode,
        actor: the(given.as),
      }),
  },
  'reconcile report': {
    does: 'the newest comparisons, or one with everything that differed',
    needs: [],
    takes: ['run', 'merchant', 'mode', 'limit'],
    run: (bus, given) =>
      given.run
        ? bus.call(contracts.findReconciliation, { id: given.run })
        : bus.call(contracts.listReconciliations, {
            limit: parseLimit(given),
            ...(given.merchant && { merchant_id: given.merchant }),
            ...(given.mode && { mode: given.mode as Mode }),
          }),
  },
  'audit verify': {
    does: 'computes the hashes of the dashboard’s audit log again; with an export, compares the entries of then',
    needs: [],
    takes: ['file'],
    run: (bus, given) => verifyAudit(bus, { file: given.file }),
  },
  'audit export': {
    does: 'writes the dashboard’s audit log with its hashes to a new file, one entry a line, and verifies it',
    needs: ['file'],
    takes: [],
    run: (bus, given) => exportAudit(bus, { file: the(given.file) }),
  },
  'books strays': {
    does: 'which payments of an export of a gateway’s books nobody here knows; each becomes a task',
    needs: ['merchant', 'mode', 'psp', 'file', 'as'],
    takes: [],
    run: (bus, given) =>
      findUnknownPayments(bus, {
        merchant_id: the(given.merchant),
        mode: given.mode as Mode,
        psp_code: given.psp as PspCode,
        actor: the(given.as),
        file: the(given.file),
      }),
  },
};
