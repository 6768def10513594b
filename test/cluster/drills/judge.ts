import type { Goal } from './drills.ts';
import type { Report } from './report.ts';

/** Returns a sentence for each goal that a report misses; money and webhooks are exact in every drill. */
export function judge(
  goal: Goal,
  { failures, longestStallMs, groups, webhooks, contradictions }: Report,
): string[] {
  return [
    ...(failures.length > goal.failures
      ? [`${failures.length} requests failed, and ${goal.failures} may: ${failures.slice(0, 5).join('; ')}`]
      : []),
    ...(longestStallMs > goal.stallMs
      ? [`no request succeeded for ${longestStallMs} ms, and ${goal.stallMs} ms are the most`]
      : []),
    ...groups.unpaid,
    ...(groups.paid === 0 ? ['no group was paid'] : []),
    ...webhooks.missing.map((id) => `no event said that group ${id} is paid`),
    ...contradictions,
  ];
}
