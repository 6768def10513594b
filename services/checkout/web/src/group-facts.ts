import type { GroupFacts, GroupState } from '@gp/contracts';

/** A group as a replica of this release sends it, or of release 1.0, which sends no facts. */
type Stated = { readonly state: GroupState; readonly facts?: GroupFacts | undefined };

const COLLECTING: readonly GroupState[] = ['open', 'partially_preauthorised', 'preauthorised'];

/**
 * Returns the ledger's findings about a group. This is the only place that derives them from the state, for replies of
 * release 1.0 during a rolling upgrade; `facts` becomes required, and this function goes, with the next release.
 */
export function readFacts({ state, facts }: Stated): GroupFacts {
  if (facts) return facts;
  const is_collecting = COLLECTING.includes(state);
  // A stream that stays open after the last change does no harm; one that ends early hides a change.
  return { is_collecting, awaits_payers: is_collecting && state !== 'preauthorised', is_settled: false };
}
