import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import type { StackFile } from '../../support/stack.ts';
import { rawFaults, type RawFault } from './raw-faults.ts';

/** A server refuses a broken request at once; an answer that takes longer is not waited for. */
const QUIET_MS = 1_500;

let shared: SharedStack;
beforeAll(async () => void (shared = await openSharedStack({ merchants: [] })), 240_000);
afterAll(() => shared?.close());

/** Sends bytes and returns all that comes back until the server closes, or says nothing for a while. */
function exchange(address: URL, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(Number(address.port), address.hostname);
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(received).toString('latin1'));
    };
    socket.setTimeout(QUIET_MS, end);
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', end);
    socket.on('close', end);
    socket.write(bytes);
  });
}

/** Returns the faults of a server's answer to a broken request. */
function findFaults({ answers }: RawFault, text: string): string[] {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n/g)];
  const [first] = heads;
  const status = Number(first?.[1] ?? 0);
  const faults = answers.includes(status) ? [] : [`is ${status} and not ${answers.join(' or ')}`];
  if (/node_modules|\.(?:ts|js):\d|\n\s+at /.test(text)) faults.push('tells of our insides');
  for (const [, code = '', head = ''] of heads) {
    if (Number(code) >= 500) faults.push(`is a ${code}`);
    if (!/^request-id: req_/im.test(head)) faults.push('has no Request-Id');
  }
  const body = text.slice((first?.index ?? 0) + (first?.[0].length ?? 0));
  if (status >= 400 && /^content-type: application\/json/im.test(first?.[2] ?? ''))
    faults.push(...findBodyFaults(body));
  return faults;
}

/** Returns the deviations from the documented shape of an error; of several answers only the first is checked. */
function findBodyFaults(body: string): string[] {
  const [json = ''] = /^\{.*?\}(?=HTTP|\r?\n?$|$)/s.exec(body) ?? [];
  try {
    const error = JSON.parse(json) as Record<string, unknown>;
    const missing = ['error', 'message', 'version', 'code', 'request_id'].filter(
      (field) => typeof error[field] !== 'string',
    );
    return missing.map((field) => `has no ${field}`);
  } catch {
    return [`is no error of ours: ${body.slice(0, 200)}`];
  }
}

describe.each([
  ['the API', 'api', '/v1/events'],
  ['checkout', 'checkout', '/embed/v1/returns'],
  ['the dashboard', 'dashboard', '/api/team'],
] as const)('%s', (_name, host, path) => {
  it('each host refuses what is no HTTP in the documented shape, with a Request-Id, and closes (X11)', async () => {
    const address = new URL((shared.stack as Pick<StackFile, typeof host>)[host]);
    const found = await Promise.all(
      rawFaults.map(async (fault) => {
        const text = fault.bytes.replaceAll('{host}', address.host).replaceAll('{path}', path);
        const answer = await exchange(address, Buffer.from(text, 'latin1'));
        return findFaults(fault, answer).map((wrong) => `${fault.what}: ${wrong}`);
      }),
    );
    expect(found.flat()).toEqual([]);
    // The server still answers other clients.
    expect((await fetch(address)).status).toBeLessThan(500);
  });
});
