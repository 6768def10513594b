import { expect, it } from '@jest/globals';
import { EVENTS_DAYS } from '@gp/bus';
import { INBOX_DAYS, OUTBOX_DAYS } from './retention.ts';

it('an inbox knows a message longer than a republish on its last day can bring it again (F10)', () => {
  expect(OUTBOX_DAYS).toBeGreaterThan(EVENTS_DAYS);
  expect(INBOX_DAYS).toBeGreaterThan(OUTBOX_DAYS + EVENTS_DAYS);
});
