import { createHash } from 'node:crypto';
import type { AuditEntry, AuditLink } from '@gp/contracts';

/** One place of a merchant's chain, as an export has it on a line. */
export type ChainedEntry = AuditLink & { readonly merchant_id: string };

/** Follows the chain of one merchant from its beginning. */
export type ChainCheck = {
  /** Takes the next place; returns what is wrong with it, undefined when it follows from those before. */
  take(link: ChainedEntry): string | undefined;
  /** The position and hash of the last place taken. */
  last(): { readonly position: number; readonly hash: string };
};

/** Begins to follow the chain of a merchant. */
export function followChain(): ChainCheck {
  let position = 0;
  let hash = '';
  return {
    take(link) {
      const expected = position + 1;
      const previous = hash;
      position = link.position;
      hash = link.hash;
      const name = `merchant ${link.merchant_id}, entry ${expected}`;
      if (link.position !== expected) return `${name}: is missing from the chain`;
      if (link.entry === null) return `${name}: is missing from the log`;
      if (hashEntry(previous, link, link.entry) !== link.hash) return `${name}: was changed`;
      return undefined;
    },
    last: () => ({ position, hash }),
  };
}

/** Computes what the database's function hash_audit_entry computes. */
function hashEntry(previous: string, { merchant_id, position }: ChainedEntry, entry: AuditEntry): string {
  const { id, at, actor, action, details } = entry;
  return createHash('sha256')
    .update(Buffer.from(previous, 'hex'))
    .update(JSON.stringify([merchant_id, position, id, at, actor, action, details]))
    .digest('hex');
}
