import { failPoint } from '@gp/service';

/** The points at which the crash matrix kills the scheduler: around every commit that lets a timer fall due. */
export const failPoints = [
  'scheduler.fire.before',
  'scheduler.fire.after',
  'scheduler.clock-advance.before',
  'scheduler.clock-advance.after',
  'scheduler.clock-move.before',
  'scheduler.clock-move.after',
  'scheduler.clock-release.before',
  'scheduler.clock-release.after',
] as const;

type Step<T> = T extends `scheduler.${infer S}.before` ? S : never;
export type SchedulerStep = Step<(typeof failPoints)[number]>;

export function failBefore(step: SchedulerStep): void {
  failPoint(`scheduler.${step}.before`);
}
export function failAfter(step: SchedulerStep): void {
  failPoint(`scheduler.${step}.after`);
}
