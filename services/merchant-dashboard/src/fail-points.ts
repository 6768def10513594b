import { failPoint } from '@gp/service';
import type { Db, Queryable } from '@gp/pg';

/** Points at which a test may kill the dashboard: around every commit, and around the hand-over of secrets. */
export const failPoints = [
  'dashboard.merchant.before',
  'dashboard.merchant.after',
  'dashboard.api-key.before',
  'dashboard.api-key.after',
  'dashboard.credentials.before',
  'dashboard.credentials.after',
  'dashboard.gateway.before',
  'dashboard.gateway.after',
  'dashboard.settings.before',
  'dashboard.settings.after',
  'dashboard.key-exposure.before',
  'dashboard.key-exposure.after',
  'dashboard.sessions.before',
  'dashboard.sessions.after',
  'dashboard.link-roll.before',
  'dashboard.link-roll.after',
  'dashboard.refund.before',
  'dashboard.refund.after',
  'dashboard.cancel.before',
  'dashboard.cancel.after',
] as const;

type Step = (typeof failPoints)[number] extends infer P
  ? P extends `dashboard.${infer S}.before`
    ? S
    : never
  : never;

/** Runs a transaction between the fail points of its step: just before its commit and just after it. */
export async function committed<T>(db: Db, step: Step, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const result = await db.transaction(async (tx) => {
    const done = await work(tx);
    failPoint(`dashboard.${step}.before`);
    return done;
  });
  failPoint(`dashboard.${step}.after`);
  return result;
}

/** Runs a call of another service between the fail points of its step. */
export async function called<T>(step: Step, work: () => Promise<T>): Promise<T> {
  failPoint(`dashboard.${step}.before`);
  const result = await work();
  failPoint(`dashboard.${step}.after`);
  return result;
}
