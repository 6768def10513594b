import type { Queryable } from '@gp/pg';
import { insertAudit } from '../../db/audit.ts';
import { countTry } from '../account/tries.ts';
import type { Actor } from '../ports.ts';

/**
 * Downloads of one member: more than anybody makes by hand, and few enough that a member who may only read cannot bury the
 * entries of others in a log that nobody can shorten.
 */
const HOURLY = { most: 120, seconds: 60 * 60 };

/**
 * Returns what records a download by the name of its file, before anything of it is sent: the data cannot be taken back, and
 * an owner must be able to see who has it. The entry has no filter, because a search may be for a payer's e-mail address and
 * the entry stays. Rejects with `rate_limited` when the member had too many in an hour.
 */
export function recordDownload(
  db: Queryable,
): (member: Actor & { readonly id: string }, fileName: string) => Promise<void> {
  return async (member, fileName) => {
    await countTry(db, { what: 'download', of: member.id, limit: HOURLY });
    await insertAudit(db, member, 'file.downloaded', { name: fileName });
  };
}
