import { expect, it } from '@jest/globals';
import { ApiFailure, NoAnswer } from './failure.ts';
import { onceOnly } from './once-only.ts';

function setUp() {
  let made = 0;
  const keys: string[] = [];
  const once = onceOnly(() => `key ${++made}`);
  const act = (action: string, outcome?: Error) =>
    once(action, async (key) => {
      keys.push(key);
      if (outcome) throw outcome;
    }).catch(() => undefined);
  return { act, keys };
}

it.each<[string, Error]>([
  ['no answer came', new NoAnswer(new Error('offline'))],
  ['the outcome is not known', new ApiFailure(500, { code: 'outcome_unknown' })],
  ['the first is still running', new ApiFailure(409, { code: 'idempotency_key_in_use' })],
])('an action repeated because %s keeps its key', async (_why, outcome) => {
  const { act, keys } = setUp();
  await act('refund a', outcome);
  await act('refund a');
  expect(keys).toEqual(['key 1', 'key 1']);
});

it('a double click is one action', async () => {
  const { act, keys } = setUp();
  await Promise.all([act('refund a'), act('refund a')]);
  expect(keys).toEqual(['key 1', 'key 1']);
});

it('an action that got any response is over: the next one is another', async () => {
  const { act, keys } = setUp();
  await act('refund a');
  await act('refund a', new ApiFailure(409, { code: 'conflict' }));
  await act('refund a');
  expect(keys).toEqual(['key 1', 'key 2', 'key 3']);
});

it('another action has another key', async () => {
  const { act, keys } = setUp();
  await act('refund a', new NoAnswer(0));
  await act('refund b');
  expect(keys).toEqual(['key 1', 'key 2']);
});
