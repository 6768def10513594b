import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, Nullable, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';

/** SHA-256 in hexadecimal. */
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** The end of a merchant's audit chain, which is at position 0 before its first entry, and the number of logged entries. */
export const AuditHead = Type.Object({
  merchant_id: Uuid,
  position: Type.Integer({ minimum: 0 }),
  hash: Nullable(Hash),
  entries: Type.Integer({ minimum: 0 }),
});
export type AuditHead = Static<typeof AuditHead>;

/** An entry of the dashboard's audit log as its hash covers it; `details` is JSON as text. */
export const AuditEntry = Type.Object({
  id: Uuid,
  at: Instant,
  actor: Type.String(),
  action: Type.String(),
  details: Type.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** One place of a merchant's audit chain; `entry` is null where the log lacks it. */
export const AuditLink = Type.Object({
  position: Type.Integer({ minimum: 1 }),
  hash: Hash,
  entry: Nullable(AuditEntry),
});
export type AuditLink = Static<typeof AuditLink>;

const Limit = Type.Integer({ minimum: 1, maximum: 200 });

/** Lists the ends of the merchants' audit chains, by merchant, after the one named. */
export const listAuditHeads = rpc('rpc.merchant.audit.heads.v1', {
  operator: 'read',
  request: Type.Object({ after: Nullable(Uuid), limit: Limit }),
  response: Type.Object({ heads: Type.Array(AuditHead) }),
});

/** Lists a merchant's audit chain after a position, in its order, as many places as fit. */
export const listAuditLinks = rpc('rpc.merchant.audit.links.v1', {
  operator: 'read',
  request: Type.Object({ merchant_id: Uuid, after: Type.Integer({ minimum: 0 }), limit: Limit }),
  response: Type.Object({ links: Type.Array(AuditLink) }),
});
