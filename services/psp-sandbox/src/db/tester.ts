import type { Queryable } from '@gp/pg';
import type { BooksReader } from '../control/books.ts';
import type { FaultSwitch } from '../control/faults.ts';
import { listPaymentCallbacks } from './callbacks.ts';
import { listPaymentCalls } from './calls.ts';
import { clearFaults, insertFault, upsertLatency } from './faults.ts';
import { listPaymentsForBooks } from './payments.ts';

/** The books as a tester reads them. */
export const booksReader = (db: Queryable): BooksReader => ({
  payments: (filter) => listPaymentsForBooks(db, filter),
  listCalls: (pspReferences) => listPaymentCalls(db, pspReferences),
  listCallbacks: (pspReferences) => listPaymentCallbacks(db, pspReferences),
});

/** The switches by which a tester sets the gateways' faults. */
export const faultSwitch = (db: Queryable): FaultSwitch => ({
  set: (gateway, rule, match) => insertFault(db, gateway, rule, match),
  setLatency: (gateway, ms) => upsertLatency(db, gateway, ms),
  clear: () => clearFaults(db),
});
