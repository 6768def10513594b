import { failPoint } from '@gp/service';

/** Where the ledger may be killed in the crash matrix: around every commit of money state. */
export const failPoints = [
  'ledger.create.before',
  'ledger.create.after',
  'ledger.reserve.before',
  'ledger.reserve.after',
  'ledger.release.before',
  'ledger.release.after',
  'ledger.begin-authorisation.before',
  'ledger.begin-authorisation.after',
  'ledger.outcome.before',
  'ledger.outcome.after',
  'ledger.timer.before',
  'ledger.timer.after',
  'ledger.cancel.before',
  'ledger.cancel.after',
  'ledger.update.before',
  'ledger.update.after',
  'ledger.link-roll.before',
  'ledger.link-roll.after',
  'ledger.refund.before',
  'ledger.refund.after',
  'ledger.recheck.before',
  'ledger.recheck.after',
  'ledger.operate.before',
  'ledger.operate.after',
  'ledger.reconcile.before',
  'ledger.reconcile.after',
] as const;

type Step<T> = T extends `ledger.${infer S}.before` ? S : never;
/** A change of money state by the name the crash matrix knows it by. */
export type LedgerStep = Step<(typeof failPoints)[number]>;

export function failBefore(step: LedgerStep): void {
  failPoint(`ledger.${step}.before`);
}
export function failAfter(step: LedgerStep): void {
  failPoint(`ledger.${step}.after`);
}
