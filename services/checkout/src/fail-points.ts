import type { Db, Queryable } from '@gp/pg';
import { failPoint } from '@gp/service';

/** Where the crash matrix kills checkout: around every call that changes state and every commit. */
export const failPoints = [
  'checkout.reserve.before',
  'checkout.reserve.after',
  'checkout.prepare.before',
  'checkout.prepare.after',
  'checkout.release.before',
  'checkout.release.after',
  'checkout.begin-authorisation.before',
  'checkout.begin-authorisation.after',
  'checkout.session-mint.before',
  'checkout.session-mint.after',
  'checkout.link-roll.before',
  'checkout.link-roll.after',
  'checkout.session-revoke.before',
  'checkout.session-revoke.after',
  'checkout.signing-key.before',
  'checkout.signing-key.after',
] as const;

type StepOf<P> = P extends `checkout.${infer S}.before` ? S : never;
type Step = StepOf<(typeof failPoints)[number]>;

/** Runs a call of another service, or a statement, between the fail points of its step. */
export async function between<T>(step: Step, call: () => Promise<T>): Promise<T> {
  failPoint(`checkout.${step}.before`);
  const result = await call();
  failPoint(`checkout.${step}.after`);
  return result;
}

/** Runs a transaction between the fail points of its step: just before its commit and just after it. */
export async function committed<T>(db: Db, step: Step, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const result = await db.transaction(async (tx) => {
    const done = await work(tx);
    failPoint(`checkout.${step}.before`);
    return done;
  });
  failPoint(`checkout.${step}.after`);
  return result;
}
