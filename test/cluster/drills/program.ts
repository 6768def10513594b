import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { OUTSIDE } from '../constants.ts';
import { here } from '../paths.ts';
import { inPki } from '../pki.ts';
import { payThroughIngress } from '../platform.ts';
import { spawnInside } from '../space.ts';
import { urls } from './cluster.ts';

/** A program of clients at work in the space of the cluster, which takes and answers lines. */
export type Program = {
  /** Sends it a line, and resolves with the next one that it writes; rejects when it has ended. */
  ask(line: string): Promise<string>;
  end(): void;
};

/** Starts a program of this folder for a merchant that has just signed up; resolves when it says that it has begun. */
export async function startProgram(
  file: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const [, email, password] = / signs in as (\S+) with (\S+)/.exec(payThroughIngress()) ?? [];
  const env = {
    ...process.env,
    ...urls,
    MERCHANT_EMAIL: email,
    MERCHANT_PASSWORD: password,
    ENDPOINT_ADDRESS: OUTSIDE,
    ENDPOINT_KEY: inPki('endpoint.key'),
    ENDPOINT_CERTIFICATE: inPki('endpoint.crt'),
    NODE_EXTRA_CA_CERTS: inPki('ca.crt'),
    ...more,
  };
  const child = spawnInside(process.execPath, ['--no-warnings', join(here, 'drills', file)], env);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} has ended`);
    return value;
  };
  await nextLine();
  return {
    ask(line) {
      child.stdin.write(`${line}\n`);
      return nextLine();
    },
    // The program in the space ends with its input: a signal would end only the one that entered it.
    end: () => child.stdin.destroy(),
  };
}
