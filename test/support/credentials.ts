import type { publicApi } from '@gp/contracts';
import type { Json } from './api.ts';

/** All callers of a route; the last one is its owner, who may change things. */
export const CREDENTIALS = [
  'no credential',
  'junk',
  'expired token',
  'key of another merchant',
  'key of the other mode',
  'token of another group',
  'token of another merchant',
  'token that only reads',
  'token of the group',
  'own key',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** An operation's request in the matrix, and the expected answers that do not follow from its declaration. */
export type Sample = {
  readonly body?: () => Json | Promise<Json>;
  /** The status that the owner gets; the declared success by default. */
  readonly owner?: string;
  /** The status that the key of the other mode gets where the operation is of one mode only. */
  readonly otherMode?: string;
};

const STRANGERS: ReadonlySet<Credential> = new Set(['no credential', 'junk', 'expired token']);
const OTHER_TOKENS: ReadonlySet<Credential> = new Set([
  'token of another group',
  'token of another merchant',
]);

/** Status and code that a credential gets: 404 for what is not its own, 403 for what it does not open (Q15). */
export function expectedAnswer(operation: publicApi.Operation, sample: Sample, who: Credential): string {
  const { accepts, path, sessionScope, success } = operation;
  const owners = sample.owner ?? String(success.status);
  if (STRANGERS.has(who)) return '401 unauthorized';
  if (who === 'own key') return owners;
  if (who === 'key of the other mode' && sample.otherMode) return sample.otherMode;
  // A request whose path names no object returns the caller's own objects, or creates one.
  if (who.startsWith('key')) return path.includes('{') ? '404 not_found' : String(success.status);
  if (!accepts.includes('session_token')) return '403 insufficient_scope';
  if (OTHER_TOKENS.has(who)) return '404 not_found';
  if (who === 'token that only reads')
    return sessionScope === 'read' ? String(success.status) : '403 insufficient_scope';
  return owners;
}
