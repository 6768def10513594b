import { UNADVISED } from './clients.ts';
import type { Done, Goal } from './goal.ts';
import type { Raised } from './alerts.ts';
import type { Report } from './report.ts';

/** Returns a sentence for each goal that a report misses; money, webhooks and alerts are exact in every drill. */
export function judge(goal: Goal, report: Report, { mendedAt, faults = [] }: Done, alerts: Raised): string[] {
  const { failures, lastFailureAt, longestStallMs, groups, webhooks, contradictions } = report;
  const unadvised = failures.filter((failure) => failure.includes(UNADVISED));
  const afterMs = (lastFailureAt ?? 0) - (mendedAt ?? Infinity);
  return [
    ...(failures.length > goal.failures
      ? [`${failures.length} requests failed, and ${goal.failures} may: ${failures.slice(0, 5).join('; ')}`]
      : []),
    ...(longestStallMs > goal.stallMs
      ? [`no request succeeded for ${longestStallMs} ms, and ${goal.stallMs} ms are the most`]
      : []),
    ...(afterMs > (goal.afterMendedMs ?? 0)
      ? [`a request failed ${afterMs} ms after the remedy, and ${goal.afterMendedMs ?? 0} ms are the most`]
      : []),
    ...unadvised.slice(0, 3),
    ...groups.unpaid,
    ...(groups.paid === 0 ? ['no group was paid'] : []),
    ...webhooks.missing.map((id) => `no event said that group ${id} is paid`),
    ...contradictions,
    ...alerts.missing.map((name) => `the alert ${name} did not fire`),
    ...alerts.unexpected.map((name) => `the alert ${name} fired`),
    ...faults,
  ];
}
