import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@gp/testing';

export type Received = { readonly headers: IncomingHttpHeaders; readonly text: string };

/** A merchant-side endpoint that keeps every callback it gets. */
export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Statuses of the next answers to callbacks; 0 leaves one without an answer. */
  answerWith(status: number): void;
  /** Waits for the first callback, seen or to come, that fits. */
  first(fits: (body: { type?: string; data?: unknown }) => boolean): Promise<Received>;
  types(pspReference: string): string[];
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += String(chunk)));
    req.on('end', () => {
      received.push({ headers: req.headers, text });
      if (status !== 0) res.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    answerWith: (next) => (status = next),
    first: (fits) => eventually(() => received.find(({ text }) => fits(parseBody(text)))),
    types: (pspReference) =>
      received
        .filter(({ text }) => text.includes(pspReference))
        .map(({ text }) => parseBody(text).type ?? 'damaged'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseBody(text: string): { type?: string; data?: unknown } {
  try {
    return JSON.parse(text) as { type?: string };
  } catch {
    return {};
  }
}
