import { join } from 'node:path';
import { createOperatorKey } from '@gp/bus';
import { root } from '../paths.ts';
import { inside } from '../space.ts';
import { findAddress, readSecret } from './cluster.ts';

/** A person who operates the release that is worked with. */
export type Operator = {
  /** The setting `FIRST_OPERATOR` of the ledger that makes this person an administrator. */
  readonly first: string;
  /** Runs a command of the operators' command line, and returns what it answers. */
  run<T>(...args: readonly string[]): T;
};

export function createOperator(): Operator {
  const { seed, publicKey } = createOperatorKey();
  const program = join(root, 'services/operator/src/cli.ts');
  return {
    first: `drill:${publicKey}`,
    run<T>(...args: readonly string[]) {
      const env = {
        NATS_URL: `nats://${findAddress('nats')}:4222`,
        NATS_NKEY_SEED: readSecret('operator'),
        OPERATOR_KEY: seed,
      };
      return JSON.parse(
        inside(process.execPath, ['--no-warnings', program, ...args, '--json'], { env }),
      ) as T;
    },
  };
}
