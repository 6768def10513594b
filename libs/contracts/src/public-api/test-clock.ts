import Type, { type Static } from '@gp/bundled/typebox';
import { OneOf } from '../common.ts';
import { LONGEST_ADVANCE_SECONDS } from '../time/test-clock.ts';
import { DateTime, Request, Response } from './fields.ts';

const seconds = (description: string) => Type.Number({ minimum: 0, description });

export const TestClock = Response('TestClock', {
  now: DateTime('Your test-mode time.'),
  ahead_seconds: seconds('How far it is ahead of the world.'),
  remaining_seconds: seconds('How far an advance still has to go; 0 unless it is `advancing`.'),
  state: OneOf(['settled', 'advancing']),
});
export type TestClock = Static<typeof TestClock>;

export const AdvanceTestClockRequest = Request('AdvanceTestClockRequest', {
  seconds: Type.Integer({
    minimum: 1,
    maximum: LONGEST_ADVANCE_SECONDS,
    description: 'How far to go forward: at most 30 days.',
    examples: [3600],
  }),
});
/** It has no parameters. */
export const ResetTestClockRequest = Request('ResetTestClockRequest', {});
