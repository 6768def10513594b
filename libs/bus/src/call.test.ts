import { afterEach, expect, it, jest } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
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

it('a caller that itself stood still looks once more before it says that nobody is there', async () => {
  const { requests, asked } = lateAnswers(1);
  await expect(ask(requests, 'rpc.a.b', '{}', inADay())).resolves.toEqual({ subject: 'answer' });
  expect(asked()).toBe(2);
});

it('who is found absent again after the time a restart takes is said to be unavailable', async () => {
  const { requests, asked } = lateAnswers(Infinity);
  const refused = ask(requests, 'rpc.a.b', '{}', inADay());
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(asked()).toBe(2);
});

it('whose time is over while nobody was there is told that, since nobody can have received the question', async () => {
  const send = () => Promise.reject(new RequestFailed('no_responders', 'rpc.a.b'));
  const refused = ask({ send }, 'rpc.a.b', '{}', { deadline: Date.now() + 500 });
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
});
