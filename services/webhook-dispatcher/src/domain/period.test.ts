import { expect, it } from '@jest/globals';
import { EVENTS_DAYS } from '@gp/bus';
import { OUTBOX_DAYS } from '@gp/outbox';
import { KEPT_DAYS } from './period.ts';

it('an event is known longer than a republish on its last day can bring it again, so no webhook is sent anew (F10)', () => {
  expect(KEPT_DAYS).toBeGreaterThan(OUTBOX_DAYS + EVENTS_DAYS);
});
