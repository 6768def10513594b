import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askLedger } from './ledger.ts';
import { root, type StackFile } from './stack.ts';

/** Asks the ledger's database for every promise of the platform that is broken for any group; none, it should be. */
export async function brokenPromises(stack: StackFile): Promise<unknown[]> {
  const [counted] = await askLedger<{ groups: string }>(stack, 'select count(*) as groups from groups');
  if (Number(counted?.groups) === 0) throw new Error('there is no group to keep promises about');
  return askLedger(stack, await readFile(join(root, 'services/group-ledger/invariants.sql'), 'utf8'));
}
