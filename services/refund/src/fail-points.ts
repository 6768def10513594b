import { failPoint } from '@gp/service';

/** The points at which the crash matrix kills refund: around the call to the ledger and every commit. */
export const failPoints = [
  'refund.open.before',
  'refund.open.after',
  'refund.note.before',
  'refund.note.after',
  'refund.answer.before',
  'refund.answer.after',
  'refund.progress.before',
  'refund.progress.after',
] as const;

type Step<P> = P extends `refund.${infer S}.before` ? S : never;

/** Runs a step between its two fail points. */
export async function between<T>(
  step: Step<(typeof failPoints)[number]>,
  work: () => Promise<T>,
): Promise<T> {
  failPoint(`refund.${step}.before`);
  const result = await work();
  failPoint(`refund.${step}.after`);
  return result;
}
