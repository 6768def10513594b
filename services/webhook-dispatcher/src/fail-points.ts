import { failPoint } from '@gp/service';

/** Where the dispatcher may be killed in the crash matrix: around every commit that sends something and around the request. */
export const failPoints = [
  'webhooks.intake.before',
  'webhooks.intake.after',
  'webhooks.claim.before',
  'webhooks.claim.after',
  'webhooks.request.before',
  'webhooks.request.after',
  'webhooks.outcome.before',
  'webhooks.outcome.after',
  'webhooks.resend.before',
  'webhooks.resend.after',
  'webhooks.recover.before',
  'webhooks.recover.after',
  'webhooks.recover-step.before',
  'webhooks.recover-step.after',
] as const;

type Step<T> = T extends `webhooks.${infer S}.before` ? S : never;
export type DispatcherStep = Step<(typeof failPoints)[number]>;

export function failBefore(step: DispatcherStep): void {
  failPoint(`webhooks.${step}.before`);
}
export function failAfter(step: DispatcherStep): void {
  failPoint(`webhooks.${step}.after`);
}
