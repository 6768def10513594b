import type { Db } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { Books } from '../app/ports.ts';
import type { CallbackQueue } from '../app/send-callbacks.ts';
import type { WorkList } from '../app/work-off.ts';
import { findAction, listPaymentActions } from './actions.ts';
import { insertCall } from './calls.ts';
import {
  findCallbackBody,
  hasOpenCallbacks,
  letHeldCallbacksGo,
  recoverCallbacks,
  settleCallback,
  takeDueCallbacks,
} from './callbacks.ts';
import { openBooksTransaction } from './books-transaction.ts';
import { drawFault, insertOwnFaults } from './faults.ts';
import { claimKey, releaseKey } from './idempotency-keys.ts';
import { findPayment, listPaymentsByReference, lockPayment } from './payments.ts';
import { takeDueWork } from './works.ts';

/**
 * Opens the books in Postgres. `ringAt` is called, after each commit, with the time at which something falls due.
 * One process keeps the books at a time: idempotency claims of an earlier run count as abandoned.
 */
export function openBooks(db: Db, clock: () => Date, ringAt: (at: Date) => void): Books {
  const run = uuidv7();
  return {
    async transaction(work) {
      const due: Date[] = [];
      const result = await db.transaction((tx) =>
        work(openBooksTransaction(tx, clock(), (at) => due.push(at))),
      );
      due.forEach(ringAt);
      return result;
    },
    find: (gateway, pspReference) => findPayment(db, gateway, pspReference),
    findByReference: (gateway, account, reference) =>
      listPaymentsByReference(db, gateway, account, reference),
    listActions: (pspReference) => listPaymentActions(db, pspReference),
    findAction: (id) => findAction(db, id),
    findEvent: (gateway, account, id) => findCallbackBody(db, gateway, account, id),
    recordCall: (call) => insertCall(db, call),
    hasOpenCallbacks: (pspReference) => hasOpenCallbacks(db, pspReference),
    drawConduct: (operation, subject) => drawFault(db, operation, subject),
    setOwnFaults: (gateway, owner, rules) => insertOwnFaults(db, gateway, owner, rules),
    claimKey: (call) => claimKey(db, call, run),
    releaseKey: (call) => releaseKey(db, call),
  };
}

/**
 * Returns the callbacks still to be sent, in batches; each batch is settled before the next is taken. Callbacks
 * that were taken and not settled, because the process died or the database connection was lost, are due again.
 */
export function openCallbackQueue(db: Db, clock: () => Date, ringAt: (at: Date) => void): CallbackQueue {
  let inHand: Set<string> | undefined;
  return {
    async takeDue(limit) {
      if (inHand?.size !== 0) await recoverCallbacks(db);
      inHand = undefined;
      const due = await takeDueCallbacks(db, clock(), limit);
      inHand = new Set(due.map(({ id }) => id));
      return due;
    },
    async settle(id, state, dueAt) {
      await settleCallback(db, id, state, dueAt);
      inHand?.delete(id);
      if (dueAt) ringAt(dueAt);
    },
    letHeldGo: (after) => letHeldCallbacksGo(db, after, clock()),
  };
}

/** Returns the list of scheduled work; each piece is taken in the transaction that performs it. */
export function openWorkList(db: Db, clock: () => Date, ringAt: (at: Date) => void): WorkList {
  return {
    async takeDue(perform) {
      const due: Date[] = [];
      const isDone = await db.transaction(async (tx) => {
        const now = clock();
        const work = await takeDueWork(tx, now);
        if (work === undefined) return false;
        const payment = await lockPayment(tx, work.gateway, work.pspReference);
        if (payment)
          await perform(
            openBooksTransaction(tx, now, (at) => due.push(at)),
            payment,
            work,
          );
        return true;
      });
      due.forEach(ringAt);
      return isDone;
    },
  };
}
