import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Reply } from './support/client.ts';
import { openEdge, type Edge } from './support/edge.ts';
import { hostileRequest, type HostileRequest } from './support/hostile.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());

const REQUESTS = 10_000;
/** Sent side by side, so that they also disturb one another. */
const TOGETHER = 16;
/** Ends what hangs: a minute on an idle machine, ms. */
const ALL_MS = 900_000;

const send = ({ method, path, body, idempotencyKey }: HostileRequest): Promise<Reply> =>
  edge.send(method, path, {
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

/** The fault of an answer; undefined for a good one. */
function findFault({ status, headers, body, text }: Reply): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (!/^req_[0-9a-f]{24}$/.test(String(headers['request-id']))) return 'has no request id';
  if (status < 400) return undefined;
  const isShaped = ['error', 'message', 'version', 'code'].every((field) => typeof body[field] === 'string');
  if (!isShaped) return 'is not in the shape of errors';
  return /node_modules|\.ts:\d|\n\s+at /.test(text) ? 'reveals internals' : undefined;
}

describe('hostile requests', () => {
  it(
    '10,000 hostile requests get no 5xx, only documented responses, and no leak',
    async () => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const requests = fc.sample(hostileRequest, { numRuns: REQUESTS, seed }).values();
      const statuses = new Map<number, number>();
      const failures: string[] = [];
      const work = async (): Promise<void> => {
        for (const request of requests) {
          const reply = await send(request).catch((error: unknown) => String(error));
          const fault = typeof reply === 'string' ? reply : findFault(reply);
          if (typeof reply !== 'string') statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
          if (fault !== undefined)
            failures.push(`${fault.slice(0, 300)} <- ${JSON.stringify(request).slice(0, 600)}`);
        }
      };
      await Promise.all(Array.from({ length: TOGETHER }, work));
      expect({ seed, failures: failures.slice(0, 10) }).toEqual({ seed, failures: [] });
      // The generator reaches every layer: refusals of each kind, and requests that are simply right.
      const rare = [200, 201, 400, 404, 405, 422].filter((status) => (statuses.get(status) ?? 0) < 3);
      expect(rare).toEqual([]);
      expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(REQUESTS);
      expect(({} as { x?: number }).x).toBeUndefined();
    },
    ALL_MS,
  );

  it('a body made of faults is checked in no time, and its response stays small', async () => {
    const slots = Array.from({ length: 60_000 }, () => '{}').join();
    const reply = await edge.post(
      '/v1/group-payments',
      `{"distribution":{"type":"custom","slots":[${slots}]}}`,
    );
    expect(reply.status).toBe(400);
    expect((reply.body['details'] as unknown[]).length).toBeLessThanOrEqual(50);
  });
});
