import * as contracts from '@gp/contracts';
import type { Mode, Operated, PspCode } from '@gp/contracts';
import { findUnknownPayments } from '../app/find-unknown-payments.ts';
import { findGroup, findGroupsOfPayer, findGroupsOfReference } from '../app/find-group.ts';
import { gather } from '../app/gather.ts';
import { showGroup } from '../app/show-group.ts';
import { exportAudit, verifyAudit } from '../app/verify-audit.ts';
import { parseInstant, the, type Commands } from './command.ts';
import { keyCommands } from './key-commands.ts';
import type { Given } from './options.ts';

const parseLimit = (given: Given): number => Number(given.limit ?? 50);
const readContext = (given: Given): Operated => given.service as Operated;
const readScope = (given: Given) => ({ merchant_id: the(given.merchant), mode: given.mode as Mode });
const readPayer = (given: Given) => ({ ...readScope(given), customer_email: the(given.email) });
const readReference = (given: Given) => ({
  psp: given.psp as PspCode,
  psp_reference: the(given.reference),
});
/** Republishing a day of messages takes longer than a query. */
const LONG_MS = 600_000;

/** Every command by its name, "noun verb". */
export const commands: Commands = {
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
    needs: ['service', 'task', 'note'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.resolveTask(readContext(given)), {
        key: the(given.task),
        note: the(given.note),
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
    needs: ['service', 'letter'],
    takes: [],
    run: (bus, given) => bus.call(contracts.replayDeadLetter(readContext(given)), { id: the(given.letter) }),
  },
  'outbox republish': {
    does: 'publishes again what a service sent from one instant to another, for a stream that lost it',
    needs: ['service', 'from', 'to'],
    takes: [],
    run: (bus, given) =>
      bus.call(
        contracts.republishOutbox(readContext(given)),
        { from: parseInstant(given.from), to: parseInstant(given.to) },
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
    does: 'the group of a merchant’s order, the groups of a payer, or those of the payment that a gateway has a reference of',
    needs: [],
    takes: [],
    ways: [
      ['merchant', 'mode', 'order'],
      ['merchant', 'mode', 'email'],
      ['psp', 'reference'],
    ],
    run: (bus, given) => {
      if (given.psp !== undefined) return findGroupsOfReference(bus, readReference(given));
      if (given.email !== undefined) return findGroupsOfPayer(bus, readPayer(given));
      return findGroup(bus, { ...readScope(given), merchant_order_id: the(given.order) });
    },
  },
  'group cancel': {
    does: 'cancels a group of which nothing was captured; its holds are released',
    needs: ['group'],
    takes: [],
    run: (bus, given) => bus.call(contracts.cancelGroupAsOperator, { group_id: the(given.group) }),
  },
  'captures retry': {
    does: 'captures again what failed for good while its hold is alive',
    needs: ['group'],
    takes: [],
    run: (bus, given) => bus.call(contracts.retryCaptures, { group_id: the(given.group) }),
  },
  'captures give-up': {
    does: 'releases the holds that failed captures kept',
    needs: ['group'],
    takes: [],
    run: (bus, given) => bus.call(contracts.giveUpCaptures, { group_id: the(given.group) }),
  },
  'payments find': {
    does: 'the payment that a gateway calls by a reference, with its merchant, mode and group',
    needs: ['psp', 'reference'],
    takes: [],
    run: (bus, given) => {
      const { psp, psp_reference } = readReference(given);
      return bus.call(contracts.findPaymentByReference(psp), { psp_reference });
    },
  },
  'payments ask': {
    does: 'has the gateway asked now about every try of a payment; the answer changes what it must',
    needs: ['intent'],
    takes: [],
    run: (bus, given) => bus.call(contracts.askGateway, { intent_id: the(given.intent) }),
  },
  'payers find': {
    does: 'the newest groups of which a payer started a payment, with their ids and states',
    needs: ['merchant', 'mode', 'email'],
    takes: [],
    run: (bus, given) => findGroupsOfPayer(bus, readPayer(given)),
  },
  'payers forget': {
    does: 'takes a payer’s address and name away for good; what was paid stays, and is nobody’s',
    needs: ['merchant', 'mode', 'email'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.forgetCustomer, {
        ...readScope(given),
        email: the(given.email),
      }),
  },
  'reconcile run': {
    does: 'compares the ledger with a gateway’s books for a merchant, or shows the comparison under way',
    needs: ['merchant', 'mode', 'psp'],
    takes: [],
    run: (bus, given) =>
      bus.call(contracts.startReconciliation, {
        ...readScope(given),
        psp_code: given.psp as PspCode,
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
    needs: ['merchant', 'mode', 'psp', 'file'],
    takes: [],
    run: (bus, given) =>
      findUnknownPayments(bus, {
        ...readScope(given),
        psp_code: given.psp as PspCode,
        file: the(given.file),
      }),
  },
  ...keyCommands,
};
