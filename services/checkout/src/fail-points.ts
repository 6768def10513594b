import { failPoint } from '@gp/service';

/** Where checkout may be killed in the crash matrix: around every call that acts. */
export const failPoints = [
  'checkout.reserve.before',
  'checkout.reserve.after',
  'checkout.prepare.before',
  'checkout.prepare.after',
  'checkout.release.before',
  'checkout.release.after',
  'checkout.begin-authorisation.before',
  'checkout.begin-authorisation.after',
] as const;

type Step<P> = P extends `checkout.${infer S}.before` ? S : never;

/** Runs a call of another service between the fail points of its step. */
export async function between<T>(
  step: Step<(typeof failPoints)[number]>,
  call: () => Promise<T>,
): Promise<T> {
  failPoint(`checkout.${step}.before`);
  const result = await call();
  failPoint(`checkout.${step}.after`);
  return result;
}
