import {
  createOperatorKey,
  isSignedBy,
  openOperatorSigner,
  parseOperatorProof,
  type Bus,
  type Closable,
  type OperatorSigner,
} from '@gp/bus';
import { verifyOperator, type Operator } from '@gp/contracts';
import { AppError } from '@gp/errors';

/** An operator with a key of the test's own. */
export type TestOperator = {
  /** The person as handlers of services receive it. */
  readonly person: Operator;
  readonly signer: OperatorSigner;
  /** The private half, for the setting `OPERATOR_KEY` of a command line. */
  readonly seed: string;
};

/** Makes an operator of this name and role; nobody knows the key yet. */
export function createOperator(name = 'ann', role: Operator['role'] = 'admin'): TestOperator {
  const { seed, publicKey: key } = createOperatorKey();
  return { person: { name, key, role }, signer: openOperatorSigner(seed), seed };
}

/** Plays the ledger to the services of a test: it knows these operators and refuses every other signature. */
export function playOperators(bus: Pick<Bus, 'serve'>, ...operators: readonly TestOperator[]): Closable {
  return bus.serve(verifyOperator, ({ subject, digest, proof: text }) => {
    const proof = text === null ? undefined : parseOperatorProof(text);
    const known = operators.find(({ person }) => person.key === proof?.key);
    if (!proof || !known || !isSignedBy(proof, { subject, digest }))
      return Promise.reject(new AppError('unauthorized', { message: 'no operator of this test signed it' }));
    return Promise.resolve(known.person);
  });
}
