import type { Post } from './wrk.ts';

/** The create that every measure sends: five slots, and no idempotency key unless `headers` brings one. */
export function createPost(base: string, key: string, headers: Record<string, string> = {}): Post {
  return {
    url: `${base}/v1/group-payments`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({
      group_name: 'Dinner',
      total_amount: 50,
      currency: 'EUR',
      expires_at: new Date(Date.now() + 6 * 3_600_000).toISOString(),
      distribution: { type: 'equally', number_of_slots: 5 },
    }),
  };
}
