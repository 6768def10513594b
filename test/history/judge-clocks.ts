import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/**
 * A clock is as far ahead as its merchant's advances sum up to: every advance counts once, however often it was
 * requested.
 */
export function clocksAgree({ clocks, record }: Views): Contradiction[] {
  return [...clocks].flatMap(([merchant, ahead]) => {
    const journeys = record.travelled.filter((journey) => journey.merchant === merchant);
    const answered = total(journeys.filter(({ isAnswered }) => isAnswered));
    // An advance that was never answered may have moved the clock, once.
    const most = total(journeys);
    if (ahead >= answered && ahead <= most) return [];
    const asked = answered === most ? `${most}` : `${answered} to ${most}`;
    return [`the clock of ${merchant} is ${ahead} s ahead and was to go ${asked}`];
  });
}

const total = (journeys: readonly { readonly seconds: number }[]): number =>
  journeys.reduce((sum, { seconds }) => sum + seconds, 0);
