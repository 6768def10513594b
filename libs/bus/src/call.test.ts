import { afterEach, expect, it, jest } from '@jest/globals';
import type { Msg } from '@gp/bundled/nats';
import { ask } from './call.ts';
import { RequestFailed, type Requests } from './requests.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/**
 * Requests of which the first `absent` find no listener; the clock is an hour later when such a reply is read.
 */
function lateAnswers(absent: number): { requests: Requests; asked: () => number } {
  let asked = 0;
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const send = (): Promise<Msg> => {
    if (++asked > absent) return Promise.resolve({ subject: 'answer' } as Msg);
    now += 3_600_000;
    return Promise.reject(new RequestFailed('no_responders', 'rpc.a.b'));
  };
  return { requests: { send }, asked: () => asked };
}

const inADay = () => ({ deadline: Date.now() + 86_400_000 });

it('a caller that was itself stopped checks once more before it reports the callee as absent', async () => {
  const { requests, asked } = lateAnswers(1);
  await expect(ask(requests, 'rpc.a.b', '{}', inADay())).resolves.toEqual({ subject: 'answer' });
  expect(asked()).toBe(2);
});

it('a callee that is still absent after the time of a restart is reported as unavailable', async () => {
  const { requests, asked } = lateAnswers(Infinity);
  const refused = ask(requests, 'rpc.a.b', '{}', inADay());
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(asked()).toBe(2);
});

it('a call whose deadline passes without a callee is reported as unavailable, because nobody received it', async () => {
  const send = () => Promise.reject(new RequestFailed('no_responders', 'rpc.a.b'));
  const refused = ask({ send }, 'rpc.a.b', '{}', { deadline: Date.now() + 500 });
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
});
