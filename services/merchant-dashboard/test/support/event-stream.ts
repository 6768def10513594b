import { get, type IncomingMessage } from 'node:http';

/** One event of a stream. */
export type StreamEvent = { readonly name: string; readonly data: Readonly<Record<string, unknown>> };
export type EventStream = Awaited<ReturnType<typeof openStream>>;

/** Opens a stream of server-sent events as a member's browser does, and reads it event by event. */
export async function openStream(port: number, path: string, o: { cookie: string }) {
  const headers = { cookie: o.cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
  });
  const pieces = answer.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = '';
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return parseBlock(block);
      }
      const piece = await pieces.next();
      if (piece.done === true) return undefined;
      text += piece.value;
    }
  };
  return {
    status: answer.statusCode,
    headers: answer.headers,
    next,
    /** Resolves with the next event that is no heartbeat; undefined at the end. */
    async nextChange(): Promise<StreamEvent | undefined> {
      for (;;) {
        const event = await next();
        if (event?.name !== 'heartbeat') return event;
      }
    },
    close: (): void => void answer.destroy(),
  };
}

function parseBlock(block: string): StreamEvent {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return {
    name: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? '{}') as StreamEvent['data'],
  };
}
