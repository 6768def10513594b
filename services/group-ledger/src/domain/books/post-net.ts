import type { Account } from '../decision.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { Intent } from '../intent/intent.ts';
import { computeKeptTipMinor, computeNetMinor } from '../intent/tip.ts';

/**
 * Books what the merchant has more, or less, of a payment than before: its tip on an account of its own, the rest on that of
 * what was captured (S8). `other` is where the money came from or went to.
 */
export function postNet(
  draft: GroupDraft,
  other: Account,
  { before, after }: { readonly before: Intent; readonly after: Intent },
  authorizationId: string,
): void {
  const tipMinor = computeKeptTipMinor(after) - computeKeptTipMinor(before);
  const slotsMinor = computeNetMinor(after) - computeNetMinor(before) - tipMinor;
  const accounts = [
    ['merchant:captured', slotsMinor],
    ['merchant:tips', tipMinor],
  ] as const;
  for (const [account, minor] of accounts) {
    if (minor > 0n) draft.post(other, account, minor, after.id, authorizationId);
    else draft.post(account, other, -minor, after.id, authorizationId);
  }
}
