import type { Mode, Operator, OperatorRole } from '@gp/contracts';
import { requireMerchant } from '../app/account/members.ts';
import { readMode } from '../app/input/input.ts';
import type { Actor, DashboardParts } from '../app/ports.ts';
import type { OptionName } from './options.ts';
import { parseUuid } from './values.ts';

export type Given = Readonly<Record<string, string>>;

/** The parts of a command: the operator is the person whose signature the ledger has verified. */
export type CommandParts = DashboardParts & { readonly operator: Operator };

/** One verb: its description, its options (all required), what it reads from standard input, the role it needs, and its action. */
export type Command = {
  readonly does: string;
  readonly options: readonly OptionName[];
  readonly input?: string;
  readonly needs: OperatorRole;
  readonly run: (parts: CommandParts, given: Given, input: string) => Promise<unknown>;
};

/** Returns the actor for the named merchant, which must exist. */
export async function findOperator({ db, operator }: CommandParts, given: Given): Promise<Actor> {
  const { id: merchantId } = await requireMerchant(db, parseUuid(given['merchant'], 'merchant'));
  return { merchantId, name: `operator:${operator.name}`, operatorKey: operator.key };
}

/** A verb that reads a setting of a merchant's mode. */
export const reading = (
  does: string,
  read: (db: CommandParts['db'], merchantId: string, mode: Mode) => Promise<unknown>,
): Command => ({
  does,
  options: ['merchant', 'mode'],
  needs: 'read',
  async run(parts, given) {
    const { mode } = readMode({ mode: given['mode'] });
    const { merchantId } = await findOperator(parts, given);
    return read(parts.db, merchantId, mode);
  },
});
