import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/** No message was given up: trouble that passes delays work and leaves none of it to a person. */
export function messagesArrived({ dead }: Views): Contradiction[] {
  return dead.map(({ id, consumer, subject, reason }) => `${consumer} gave up ${subject} ${id}: ${reason}`);
}
