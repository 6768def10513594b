import { isSignedBy, parseOperatorProof } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type { Operator, RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { findStoredKey, hasAdministrator, insertFirstKey, spendProof } from '../../db/operator-keys.ts';
import {
  judgeKey,
  judgeRole,
  type FirstOperator,
  type KeyRefusal,
  type StoredKey,
} from '../../domain/index.ts';

type Verify = RequestOf<typeof contracts.verifyOperator>;
type Identify = RequestOf<typeof contracts.identifyOperator>;
type Parts = { readonly db: Db; readonly firstOperator?: FirstOperator | undefined };

/**
 * Verifies that a registered person signed a request, for the service that received it, and spends the proof (Q66–Q68).
 * Nothing is stored of a proof that is refused. Rejects with `unauthorized` or `insufficient_scope`, and the reason.
 */
export function verifyOperator(parts: Parts): (r: Verify) => Promise<Operator> {
  const { db } = parts;
  return async ({ subject, digest, proof: text, needs }) => {
    if (text === null) throw refused('this command needs the key of an operator');
    const proof = parseOperatorProof(text);
    if (!proof || !isSignedBy(proof, { subject, digest }))
      throw refused('the signature does not fit the command');
    const { key, signedAtMs } = proof;
    const stored = (await findStoredKey(db, key)) ?? (await registerFirst(parts, key));
    if (!stored) throw refused(`the key ${key} is not registered: ${await describeWayIn(db)}`);
    const { name, role } = stored;
    throwRefusal(judgeKey(stored, { needs, signedAtMs }));
    if (!(await spendProof(db, proof)))
      throw refused(`this command of ${name} was received before: give it again`);
    return { name, key, role };
  };
}

/** Returns the person who signed, to a program with rights of its own; records what that person does with them. */
export function identifyOperator(db: Db): (r: Identify, operator: Operator) => Promise<Operator> {
  return async ({ needs, action, subject }, operator) => {
    throwRefusal(judgeRole(operator, needs));
    if (needs !== 'read') await recordAction(db, { actor: operator, action, subject });
    return operator;
  };
}

/** The first key proves itself by its signature before it is stored (Q70). */
async function registerFirst({ db, firstOperator }: Parts, key: string): Promise<StoredKey | undefined> {
  if (firstOperator?.key !== key) return undefined;
  await db.transaction(async (tx) => {
    if (await insertFirstKey(tx, firstOperator))
      await recordAction(tx, { actor: firstOperator, action: 'keys.add-first', subject: key });
  });
  return findStoredKey(db, key);
}

/** Returns what makes an unknown key a known one, here and now. */
async function describeWayIn(db: Db): Promise<string> {
  if (await hasAdministrator(db)) return 'an administrator adds it with "keys add"';
  return 'no administrator has a valid key, so the setting FIRST_OPERATOR of the ledger has to name one';
}

const refused = (message: string): AppError => new AppError('unauthorized', { message });

function throwRefusal(refusal: KeyRefusal | undefined): void {
  if (refusal) throw new AppError(refusal.code, { message: refusal.message });
}
