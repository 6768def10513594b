import type { Queryable } from '@gp/pg';
import type { Callback, BooksTransaction } from '../app/ports.ts';
import { computeWrongAmount, type Conduct, type Fault } from '../domain/fault.ts';
import type { Payment } from '../domain/payment.ts';
import { finishAction, insertAction, listPaymentActions } from './actions.ts';
import { insertCall, settleCall } from './calls.ts';
import { insertCallback, type NewCallback } from './callbacks.ts';
import { drawFault } from './faults.ts';
import { keepAnswer } from './idempotency-keys.ts';
import { insertPayment, listPaymentsByReference, lockPayment, savePayment } from './payments.ts';
import { insertWork } from './works.ts';

/**
 * Long enough for a later callback to overtake a held one, short enough not to delay a payment without a later
 * one.
 */
const HELD_MS = 2_000;

/**
 * Returns the operations of one open transaction; `onDue` is called with the time of everything that will fall due.
 */
export function openBooksTransaction(tx: Queryable, now: Date, onDue: (at: Date) => void): BooksTransaction {
  return {
    now,
    lock: (gateway, pspReference) => lockPayment(tx, gateway, pspReference),
    findByReference: (gateway, account, reference) =>
      listPaymentsByReference(tx, gateway, account, reference),
    listActions: (pspReference) => listPaymentActions(tx, pspReference),
    insert: (payment) => insertPayment(tx, payment),
    save: (payment) => savePayment(tx, payment),
    insertAction: (action) => insertAction(tx, action),
    finishAction: (id, status) => finishAction(tx, id, status),
    recordCall: (call) => insertCall(tx, call),
    settleCall: (pspReference, operation, outcome) => settleCall(tx, pspReference, operation, outcome),
    keepAnswer: (call, answer) => keepAnswer(tx, call, answer),
    async schedule(work) {
      await insertWork(tx, work);
      onDue(work.dueAt);
    },
    async emit(payment, callbacks, conduct) {
      const fault = await callbackFault(tx, payment, callbacks);
      for (const callback of inOrder(callbacks, conduct, fault)) {
        const row = callbackRow(payment, callback, conduct, fault, now);
        await insertCallback(tx, row);
        if (row.dueAt !== null) onDue(row.dueAt);
      }
    },
  };
}

/**
 * Returns the fault of a callback. One fault covers all events of one outcome: a single lost event would not hide
 * it.
 */
async function callbackFault(
  tx: Queryable,
  payment: Payment,
  callbacks: readonly Callback[],
): Promise<Fault | undefined> {
  if (!callbacks.some((callback) => callback.isOutcome)) return undefined;
  return (await drawFault(tx, 'callback', payment)).fault;
}

function inOrder(callbacks: readonly Callback[], conduct: Conduct, fault: Fault | undefined): Callback[] {
  return isReordered(conduct, fault) ? [...callbacks].reverse() : [...callbacks];
}

const isReordered = (conduct: Conduct, fault: Fault | undefined): boolean =>
  conduct.callbacks === 'reorder' || fault?.kind === 'reorder';

function callbackRow(
  payment: Payment,
  callback: Callback,
  conduct: Conduct,
  fault: Fault | undefined,
  now: Date,
): NewCallback {
  const isLost = conduct.callbacks === 'lose' || fault?.kind === 'lose';
  const isHeld = isReordered(conduct, fault);
  const waitMs = (isHeld ? HELD_MS : 0) + (fault?.delayMs ?? 0);
  const kind = conduct.callbacks === 'duplicate' ? 'duplicate' : (fault?.kind ?? null);
  return {
    id: callback.id,
    gateway: payment.gateway,
    account: payment.account,
    pspReference: payment.pspReference,
    type: callback.type,
    body: JSON.stringify(fault?.kind === 'wrong_amount' ? withWrongAmounts(callback.body) : callback.body),
    state: isLost ? 'lost' : 'due',
    fault: kind,
    isHeld: isHeld && !isLost,
    dueAt: isLost ? null : new Date(now.getTime() + waitMs),
    createdAt: now,
  };
}

const AMOUNTS = /^(Ds_Amount|amount(_captured|_capturable|_received|_refunded|_authorized)?)$/;

/** Returns the same callback with every amount in it off by one unit. */
function withWrongAmounts(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (!AMOUNTS.test(name)) return value;
    if (typeof value === 'string' && /^\d+$/.test(value)) return String(computeWrongAmount(BigInt(value)));
    return typeof value === 'number' && value > 0 ? Number(computeWrongAmount(BigInt(value))) : value;
  });
}
