import { failPoint } from '@gp/service';
import { CALL_OPERATIONS, type CallOperation } from './domain/gateway-call.ts';

const STEPS = ['start', 'call', 'settle'] as const;
const CALLBACK_STEPS = ['callback-store', 'callback-apply', 'outcome-record'] as const;
const READING_STEPS = ['books-read'] as const;
const ORDER_STEPS = ['order-store'] as const;
const SIDES = ['before', 'after'] as const;

type OtherStep =
  (typeof CALLBACK_STEPS)[number] | (typeof READING_STEPS)[number] | (typeof ORDER_STEPS)[number];

export type FailPoint =
  | `${CallOperation}-${(typeof STEPS)[number]}.${(typeof SIDES)[number]}`
  | `${OtherStep}.${(typeof SIDES)[number]}`;

/** Every point at which a crash of an adapter must be harmless: `<psp_code>.capture-call.after` … */
export const failPoints: readonly FailPoint[] = [
  ...CALL_OPERATIONS.flatMap((operation) =>
    STEPS.flatMap((step) => SIDES.map((side) => `${operation}-${step}.${side}` as const)),
  ),
  ...[...CALLBACK_STEPS, ...READING_STEPS, ...ORDER_STEPS].flatMap((step) =>
    SIDES.map((side) => `${step}.${side}` as const),
  ),
];

/** Runs a step between its two fail points. */
export async function between<T>(
  psp: string,
  step: FailPoint extends `${infer S}.${string}` ? S : never,
  work: () => Promise<T>,
): Promise<T> {
  failPoint(`${psp}.${step}.before`);
  const result = await work();
  failPoint(`${psp}.${step}.after`);
  return result;
}
