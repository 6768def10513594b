import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { watchAttendance } from './attendance.ts';
import { send } from './send.ts';

const before = { fetch: globalThis.fetch };
const page = new EventTarget();
const sent: string[] = [];
beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    fetch: async (path: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(`${path} ${headers['x-unattended'] ?? '-'}`);
      return Response.json({});
    },
  });
  watchAttendance();
});
afterAll(() => {
  jest.useRealTimers();
  Object.assign(globalThis, before);
});

it('a page that nobody has used for a minute says so with what it loads, and not with what somebody does (Q54)', async () => {
  page.dispatchEvent(new Event('keydown'));
  jest.advanceTimersByTime(59_000);
  await send('/read');
  jest.advanceTimersByTime(2_000);
  await send('/read');
  await send('/write', { method: 'POST', body: {} });
  page.dispatchEvent(new Event('pointermove'));
  await send('/read');
  expect(sent).toEqual(['/read -', '/read 1', '/write -', '/read -']);
});
