import type { Json } from './api.ts';

/** The hosted page as a browser gets it: the data in it, and who may hold it. */
export async function openPage(
  address: string,
): Promise<{ status: number; headers: Headers; bootstrap: Json }> {
  const answer = await fetch(address, { redirect: 'manual' });
  const html = await answer.text();
  const data = /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? 'null';
  return { status: answer.status, headers: answer.headers, bootstrap: JSON.parse(data) as Json };
}

/**
 * Follows a group with a token, as its page does. `until` reads on to the first event that is wanted and answers everything
 * up to it; it fails when the stream ends first.
 */
export async function followSlots(checkout: string, groupId: string, token: string) {
  const answer = await fetch(`${checkout}/v1/group-payments/${groupId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok || !answer.body) throw new Error(`the stream answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(wanted: (data: Json, event: string) => boolean): Promise<Json[]> {
      const seen: Json[] = [];
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const message = text.slice(0, end);
          text = text.slice(end + 2);
          const event = /^event: (.*)$/m.exec(message)?.[1] ?? '';
          // It only says, now and then, that it is still there.
          if (event === 'heartbeat') continue;
          const data = JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? '{}') as Json;
          seen.push(data);
          if (wanted(data, event)) return seen;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended after ${JSON.stringify(seen)}`);
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}
