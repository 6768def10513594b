import { describe, expect, it } from '@jest/globals';
import { decideResult, classifyResponse, type EndpointResponse } from './delivery-result.ts';

const answer = (status: number, retryAfterMs?: number): EndpointResponse => ({
  kind: 'answer',
  status,
  retryAfterMs,
});
const o = { schedule: [100, 200], random: 0 };

describe('an attempt', () => {
  it.each([200, 201, 204, 226, 299])('an attempt answered with %i has delivered', (status) => {
    expect(decideResult(answer(status), 1, o)).toEqual({ status: 'delivered' });
  });

  it.each([199, 300, 301, 304, 307, 400, 401, 404, 410, 429, 500, 503, 599])(
    'an attempt answered with %i is made again',
    (status) => {
      expect(decideResult(answer(status), 1, o)).toEqual({ status: 'pending', waitMs: 100 });
    },
  );

  it('an attempt without an answer is made again', () => {
    expect(decideResult({ kind: 'none', error: 'timeout' }, 2, o)).toEqual({
      status: 'pending',
      waitMs: 200,
    });
  });

  it('an attempt is not repeated after the last step', () => {
    expect(decideResult(answer(500), 3, o)).toEqual({ status: 'failed' });
  });

  it('an attempt that delivers at the last step has delivered', () => {
    expect(decideResult(answer(200), 3, o)).toEqual({ status: 'delivered' });
  });

  it('an attempt waits for a Retry-After of any status', () => {
    expect([429, 500, 302].map((status) => decideResult(answer(status, 150), 1, o))).toEqual(
      [429, 500, 302].map(() => ({ status: 'pending', waitMs: 150 })),
    );
  });
});

it('every result has one word', () => {
  const answers: EndpointResponse[] = [200, 302, 404, 503].map((status) => answer(status));
  expect([...answers, { kind: 'none', error: 'dns' } as const].map(classifyResponse)).toEqual([
    'acknowledged',
    'redirect',
    'status_4xx',
    'status_5xx',
    'dns',
  ]);
});
