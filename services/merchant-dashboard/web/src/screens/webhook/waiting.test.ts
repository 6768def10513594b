import { expect, it } from '@jest/globals';
import { describeWaiting } from './waiting.ts';

const NEXT = '2026-03-01T08:00:00.000Z';
const failing = {
  ...{ endpoint_id: 'e1', acknowledged: 0, failed: 5, pending: 2, held: 0, last_acknowledged_at: null },
  ...{ failing_since: '2026-03-01T07:00:00.000Z', last_http_status: null, last_error_class: null },
  next_attempt_at: NEXT,
};
const on = { enabled: true };

it('an endpoint that acknowledged its latest request, or was sent nothing, has no note', () => {
  expect(describeWaiting(on, { ...failing, failing_since: null }, true)).toBeUndefined();
  expect(describeWaiting(on, undefined, true)).toBeUndefined();
});

it('a server that answers with an error is told its answer and the schedule of the tries (K19)', () => {
  expect(describeWaiting(on, { ...failing, last_http_status: 503 }, true)).toEqual({
    title: '2 deliveries wait',
    sentences: ['Last result: your server answered 503.', expect.stringContaining('7 times')],
    nextAttemptAt: NEXT,
  });
});

it('a server that gives no answer is told why deliveries are held back (K19)', () => {
  const { title, sentences } = describeWaiting(
    on,
    { ...failing, pending: 1, last_error_class: 'connect' },
    true,
  )!;
  expect(title).toBe('1 delivery waits');
  expect(sentences).toEqual(['Last result: connection refused.', expect.stringContaining('held back')]);
});

it('an endpoint to which nothing waits any more is told its latest result alone', () => {
  expect(describeWaiting(on, { ...failing, pending: 0, last_http_status: 500 }, true)).toEqual({
    title: 'The latest request failed',
    sentences: ['Last result: your server answered 500.'],
    nextAttemptAt: null,
  });
});

it('an endpoint that is off says how many deliveries are kept and how to have them sent', () => {
  expect(describeWaiting({ enabled: false }, { ...failing, held: 3 }, true)).toMatchObject({
    title: 'Sending is off',
    sentences: ['3 deliveries are kept.', expect.stringContaining('recover')],
    nextAttemptAt: null,
  });
});

it('an endpoint that is off does not lead a member to a change that the role may not make', () => {
  const { sentences } = describeWaiting({ enabled: false }, { ...failing, held: 3 }, false)!;
  expect(sentences.join(' ')).not.toMatch(/Turn it on|recover/);
});
