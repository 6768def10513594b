/** One message of a stream of server-sent events. */
export type ServerSentEvent = { readonly id?: string; readonly name: string; readonly data: string };

/** Yields the messages of a stream; `onBytes` is called whenever anything arrives, comments included. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // A block that was cut off is no message.
      if (done) return;
      onBytes();
      // A carriage return at the end of a piece may be the first half of a line end.
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parseBlock(block);
        if (message) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const data: string[] = [];
  let id: string | undefined;
  let name = 'message';
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    const field = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
    else if (field === 'event') name = value;
  }
  return data.length === 0 ? undefined : { ...(id !== undefined && { id }), name, data: data.join('\n') };
}
