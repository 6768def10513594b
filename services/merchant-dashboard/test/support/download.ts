import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer of which nothing was read yet but its head. */
export type Opened = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Reads it to its end; rejects when the connection is cut before. */
  readonly read: () => Promise<string>;
  /** Ends the connection. */
  readonly leave: () => void;
};

/** Asks for a file on a connection of its own. */
export function openDownload(port: number, path: string, cookie: string): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { cookie }, agent: false }, (response) => {
      const { statusCode = 0, headers } = response;
      // A connection that is cut before somebody reads is a failure of the reading.
      response.on('error', () => undefined);
      resolve({
        status: statusCode,
        headers,
        read: async () => (await buffer(response)).toString(),
        leave: () => void response.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Parses CSV that begins with a byte order mark and has every field quoted: an object for each line below the first. */
export function parseCsv(file: string): Record<string, string>[] {
  if (!file.startsWith('\ufeff')) throw new Error('no byte order mark');
  const [head = [], ...lines] = file
    .slice(1)
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, field = '']) => field.replaceAll('""', '"')),
    );
  return lines.map((fields) =>
    Object.fromEntries(head.map((name, index) => [name, fields[index] ?? 'missing'])),
  );
}

/** Parses JSON lines, each of which has to end with a line break. */
export function parseJsonLines(file: string): Record<string, unknown>[] {
  return file
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
