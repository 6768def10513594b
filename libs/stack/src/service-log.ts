import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

export type ServiceLog = { write(service: string, line: string): void; close(): Promise<void> };

/** Opens one file for the lines of all services in the order of arrival; readable by its owner only. */
export async function openServiceLog(file: string): Promise<ServiceLog> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  await once(stream, 'open');
  return {
    write: (service, line) => void stream.write(asLogLine(service, line)),
    async close() {
      stream.end();
      await once(stream, 'close');
    },
  };
}

/** Services log JSON already; anything else (a crash's stack) becomes a line of the same form. */
function asLogLine(service: string, line: string): string {
  if (line.startsWith('{')) return line + '\n';
  return JSON.stringify({ time: new Date().toISOString(), level: 'error', service, msg: line }) + '\n';
}
