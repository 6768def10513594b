import { verifyOperator, type OperatorRole, type StreamContract } from '@gp/contracts';
import { coverSubjects, matchesAny } from './subjects.ts';

/** What an identity does on the bus. Subjects may hold wildcards where they are listed as text. */
export type BusAccess = {
  /** The name of the identity, which is also the name of its inboxes. */
  readonly name: string;
  readonly serves?: readonly Called[];
  readonly calls?: readonly Called[];
  /** Subjects of messages that go to a stream. */
  readonly publishes?: readonly string[];
  readonly consumes?: readonly Consumer[];
  /** Subjects received directly, without a stream. */
  readonly listens?: readonly string[];
  /** Subjects of notes. */
  readonly announces?: readonly string[];
  /** True for those that create and change streams; others wait until the streams exist. */
  readonly ownsStreams?: boolean;
};

type Called = { readonly subject: string; readonly operator?: OperatorRole };
type Consumer = Pick<StreamContract<unknown>, 'stream' | 'filters'> & { readonly durable: string };

/** The permissions of one user, as the configuration of a NATS server spells them. */
export type Permissions = {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** Lets a callee reply once to the inbox that a request named, and to no other. */
  readonly allow_responses?: { readonly max: number; readonly expires: string };
};

/** Longer than the longest call, an operator's republication of a day. */
const RESPONSES = { max: 1, expires: '11m' };
const STREAMS = ['COMMANDS', 'EVENTS'] as const;

export const INBOXES = '_INBOX.';

/** Returns the prefix of an identity's inboxes. */
export function buildInboxPrefix(name: string): string {
  return `${INBOXES}${name}`;
}

/** Returns the least permissions with which a NATS server lets an identity do what it declares. */
export function buildPermissions(access: BusAccess): Permissions {
  const { serves = [], calls = [], publishes = [], consumes = [], listens = [], announces = [] } = access;
  const upkeep = access.ownsStreams ? ['CREATE', 'UPDATE'] : [];
  const streams = ['INFO', ...upkeep].flatMap((verb) =>
    STREAMS.map((name) => `$JS.API.STREAM.${verb}.${name}`),
  );
  // Who serves operators asks the ledger whose signature a request has.
  const asked = serves.some(({ operator }) => operator !== undefined) ? [verifyOperator] : [];
  const sent = [
    ...listSubjects([...calls, ...asked]),
    ...publishes,
    ...announces,
    ...consumes.flatMap(listConsumerApi),
    ...streams,
  ];
  return {
    publish: { allow: sort(sent) },
    subscribe: { allow: sort([`${buildInboxPrefix(access.name)}.>`, ...listSubjects(serves), ...listens]) },
    ...(serves.length > 0 && { allow_responses: RESPONSES }),
  };
}

/**
 * The server checks a consumer's filter only where the subject of the request names it, and that has room for one:
 * a service that could send filters in the body could read the whole stream.
 */
function listConsumerApi({ stream, durable, filters }: Consumer): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${coverSubjects(filters)}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

const listSubjects = (contracts: readonly Called[]): string[] => contracts.map(({ subject }) => subject);
const sort = (subjects: readonly string[]): string[] => [...new Set(subjects)].sort();

type Way = 'serves' | 'calls' | 'publishes' | 'listens' | 'announces';

/** Checks that an identity declares what it does, where no server checks it; without a declaration all is allowed. */
export function openAccessCheck(access: BusAccess | undefined): (way: Way, subject: string) => void {
  if (!access) return () => undefined;
  return (way, subject) => {
    const declared = (access[way] ?? []).map((one) => (typeof one === 'string' ? one : one.subject));
    if (!matchesAny(declared, subject))
      throw new Error(`${access.name} does not declare that it ${way} ${subject}`);
  };
}
