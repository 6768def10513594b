/** One event of a stream as it was sent. */
export type StreamEvent = {
  readonly name: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
};

/** Reads an answer as server-sent events, strictly by what browsers take for one. */
export function eventStream(answer: Response) {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isOver = false;
  async function next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return parsed(block);
      }
      if (isOver) return undefined;
      const { value, done } = await reader.read();
      isOver = done;
      text += value ?? '';
    }
  }
  return { next, close: () => reader.cancel() };
}

function parsed(block: string): StreamEvent {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const id = fields.get('id');
  return {
    name: fields.get('event') ?? 'message',
    ...(id !== undefined && { id }),
    data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>,
  };
}
