import { failPoint } from '@gp/service';

/** Where the crash matrix kills api-gateway: around every commit of its own and every call that changes state. */
export const failPoints = [
  'api_gateway.idempotency-begin.before',
  'api_gateway.idempotency-begin.after',
  'api_gateway.idempotency-keep.before',
  'api_gateway.idempotency-keep.after',
  'api_gateway.create.before',
  'api_gateway.create.after',
  'api_gateway.pay.before',
  'api_gateway.pay.after',
  'api_gateway.confirm-begin.before',
  'api_gateway.confirm-begin.after',
  'api_gateway.confirm-card.before',
  'api_gateway.confirm-card.after',
  'api_gateway.refund.before',
  'api_gateway.refund.after',
  'api_gateway.link-roll.before',
  'api_gateway.link-roll.after',
  'api_gateway.key-projection.before',
  'api_gateway.key-projection.after',
  'api_gateway.epoch-projection.before',
  'api_gateway.epoch-projection.after',
  'api_gateway.origin-projection.before',
  'api_gateway.origin-projection.after',
] as const;

type Step<T> = T extends `api_gateway.${infer S}.before` ? S : never;
/** A step by its name in the crash matrix. */
export type EdgeStep = Step<(typeof failPoints)[number]>;

/** Runs a step between its two fail points. */
export async function between<T>(step: EdgeStep, work: () => Promise<T>): Promise<T> {
  failPoint(`api_gateway.${step}.before`);
  const result = await work();
  failPoint(`api_gateway.${step}.after`);
  return result;
}
