/** One message of a stream, or a comment. */
export type StreamMessage = {
  readonly name?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data?: unknown;
  readonly comment?: string;
};
export type Stream = Awaited<ReturnType<typeof openStream>>;

/** Opens a stream of server-sent events and reads it block by block, strictly as it was sent. */
export async function openStream(url: string, headers: Record<string, string>) {
  const gone = new AbortController();
  const answer = await fetch(url, { headers, signal: gone.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** Resolves with the next block; undefined at the end. */
  const next = async (): Promise<StreamMessage | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return parseBlock(block);
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    next,
    /** Resolves with the next block that is no comment: a slow machine lets a heartbeat pass before any message. */
    async nextMessage(): Promise<StreamMessage | undefined> {
      for (;;) {
        const block = await next();
        if (block?.comment === undefined) return block;
      }
    },
    close: async () => {
      await reader.cancel().catch(() => undefined);
      gone.abort();
    },
  };
}

function parseBlock(block: string): StreamMessage {
  if (block.startsWith(': ')) return { comment: block.slice(2) };
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)));
  const { event: name = 'message', data, ...rest } = fields as Record<string, string>;
  return { name, ...rest, ...(data !== undefined && { data: JSON.parse(data) as unknown }) };
}
