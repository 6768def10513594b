import { secretKey, type Operation } from './operation.ts';
import { AdvanceTestClockRequest, ResetTestClockRequest, TestClock } from './test-clock.ts';

const common = {
  tag: 'Test clock',
  accepts: secretKey,
  success: { status: 200, body: TestClock },
  /** A live key: live mode has real time only. */
  errors: ['insufficient_scope'],
  isExtension: true,
} as const;

/** Moving test-mode time with a test key. */
export const testClockOperations = {
  getTestClock: {
    ...common,
    id: 'getTestClock',
    method: 'GET',
    path: '/v1/test/clock',
    summary: 'Get the test clock',
    description:
      'Your test-mode time. A live key gets 403 `insufficient_scope`: live mode has no clock but real time.',
  },
  advanceTestClock: {
    ...common,
    id: 'advanceTestClock',
    method: 'POST',
    path: '/v1/test/clock/advance',
    summary: 'Advance the test clock',
    description: [
      'Moves your test-mode time forward and does on the way, in order, whatever falls due: group expiries, reservations',
      'that run out, holds that lapse, retries of captures and voids, questions to gateways, and retries of webhooks.',
      'The answer comes at once, with `state` `advancing`: read `GET /v1/test/clock` until it is `settled`, which it is when',
      'all of that is done. Webhook endpoints that do not answer are not waited for. Advances add up. Repeated under its',
      'Idempotency-Key an advance counts once, so one that was not answered can be sent again; repeated without a key it',
      'advances again.\n\n',
      'Instants in groups, slots, events and `expires_at` are test-mode time. Real time rules the `t` of webhook signatures,',
      'tokens, idempotency keys and rate limits. A clock can be at most 366 days ahead.',
    ].join(' '),
    body: AdvanceTestClockRequest,
    isIdempotent: true,
  },
  resetTestClock: {
    ...common,
    id: 'resetTestClock',
    method: 'POST',
    path: '/v1/test/clock/reset',
    summary: 'Reset the test clock',
    description: [
      'Puts your test-mode time back to real time. Nothing that happened is undone. Groups keep the instants they were',
      'given, some of which are then far ahead; retries that wait keep the pause they had left. Begin with new groups.',
      'Like an advance it is answered at once: `GET /v1/test/clock` shows when it is done.',
    ].join(' '),
    body: ResetTestClockRequest,
    isBodyOptional: true,
  },
} as const satisfies Record<string, Operation>;
