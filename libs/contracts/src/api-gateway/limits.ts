import Type, { type Static } from '@gp/bundled/typebox';
import { note } from '../contract.ts';

const From = Type.String({ minLength: 1, maxLength: 64 });
/** The name of a counter: a bucket, a group or a client. Never an address or a token itself. */
const Key = Type.String({ minLength: 1, maxLength: 300 });
const DurationMs = Type.Number({ minimum: 0 });

/**
 * The requests that one replica of the edge let through since its last message: the others take them from their
 * own buckets.
 */
export const LimitsSpent = Type.Object({
  from: From,
  spent: Type.Array(Type.Tuple([Key, Type.Integer({ minimum: 1 })]), { maxItems: 1_000 }),
});
export type LimitsSpent = Static<typeof LimitsSpent>;
export const limitsSpent = note('note.api_gateway.limits.spent.v1', LimitsSpent);

/** Declines and blocks that one replica knows, with their ages and remaining times: clocks are not shared. */
export const DeclinesReported = Type.Object({
  declines: Type.Array(Type.Object({ key: Key, id: Type.String({ maxLength: 64 }), ageMs: DurationMs }), {
    maxItems: 1_000,
  }),
  blocks: Type.Array(Type.Object({ key: Key, restMs: DurationMs }), { maxItems: 1_000 }),
});
export type DeclinesReported = Static<typeof DeclinesReported>;
export const declinesReported = note('note.api_gateway.declines.told.v1', DeclinesReported);

/** A replica that has just started asks the others for their declines and blocks. */
export const DeclinesAsked = Type.Object({ from: From });
export const declinesAsked = note('note.api_gateway.declines.asked.v1', DeclinesAsked);
