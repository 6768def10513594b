import type { Db } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { Books } from '../app/ports.ts';
import { findAction, listActionsOf } from './actions.ts';
import { insertCall } from './calls.ts';
import { findCallbackBody } from './callbacks.ts';
import { deskOn } from './desk.ts';
import { drawFault, insertOwnFaults } from './faults.ts';
import { claimKey, releaseKey } from './idempotency-keys.ts';
import { findPayment, listPaymentsByReference } from './payments.ts';

/**
 * The books in Postgres. `wakeAt` is told, after each commit, when something of it falls due. One process keeps
 * the books at a time: idempotency claims of an earlier run count as abandoned.
 */
export function openBooks(db: Db, clock: () => Date, wakeAt: (at: Date) => void): Books {
  const run = uuidv7();
  return {
    async transaction(work) {
      const due: Date[] = [];
      const result = await db.transaction((tx) => work(deskOn(tx, clock(), (at) => due.push(at))));
      due.forEach(wakeAt);
      return result;
    },
    find: (gateway, pspReference) => findPayment(db, gateway, pspReference),
    findByReference: (gateway, account, reference) =>
      listPaymentsByReference(db, gateway, account, reference),
    actionsOf: (pspReference) => listActionsOf(db, pspReference),
    findAction: (id) => findAction(db, id),
    findEvent: (gateway, account, id) => findCallbackBody(db, gateway, account, id),
    recordCall: (call) => insertCall(db, call),
    drawConduct: (operation, subject) => drawFault(db, operation, subject),
    setOwnFaults: (gateway, owner, rules) => insertOwnFaults(db, gateway, owner, rules),
    claimKey: (call) => claimKey(db, call, run),
    releaseKey: (call) => releaseKey(db, call),
  };
}
