import { Agent, request } from '@gp/bundled/undici';
import type { Post } from '../app/send-callbacks.ts';

/** A receiver should only store the callback and respond, which never needs longer. */
const TIMEOUT_MS = 5_000;

/** Posts callbacks over connections of its own. */
export function openPost(): { post: Post; close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 16, keepAliveTimeout: 4_000 });
  return {
    post: async (url, headers, body) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers },
        body,
        dispatcher,
        signal,
      });
      await answer.body.dump({ limit: 64 * 1024 });
      return answer.statusCode;
    },
    close: () => dispatcher.destroy(),
  };
}
