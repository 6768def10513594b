import { noDeclines, withDecline, type DeclineRule, type Tally } from '../../domain/declines.ts';
import { Recent } from './recent.ts';

/** A declined payment as every replica receives it. `id` is the id of the event. */
export type DeclinedPayment = { readonly id: string; readonly groupId: string; readonly intentId: string };

/** Declines and blocks as replicas exchange them; ages and remaining times in ms, because clocks differ. */
export type DeclineReport = {
  readonly declines: readonly { readonly key: string; readonly id: string; readonly ageMs: number }[];
  readonly blocks: readonly { readonly key: string; readonly restMs: number }[];
};

export type DeclineGuard = {
  /** Seconds this group's payers, this client or this payer must wait before they may pay; 0 when they need not. */
  blockedSeconds(who: { groupId: string; client: string | undefined; payer?: string }): number;
  /** Seconds this client must wait before it may start another payment of this group; 0 when it need not. */
  abandonedSeconds(who: { groupId: string; client: string | undefined }): number;
  /** Returns true while the payers of at least one group must wait. */
  blocksAnyGroup(): boolean;
  /** Records the client that makes a payment: its result counts against that client and that payer. */
  madeFrom(who: Origin, intentId: string): void;
  /** Counts a decline against its group and, where this replica knows them, its client and its payer. */
  declined(payment: DeclinedPayment): void;
  /** Counts an unfinished reservation against the client that made it, where this replica knows the client. */
  abandoned(payment: Pick<DeclinedPayment, 'id' | 'intentId'>): void;
  /** Returns what only this replica knows since the last call: declines of clients and payers. */
  collect(): DeclineReport;
  /** Returns all declines and blocks, for a replica that has just started. */
  collectAll(): DeclineReport;
  /** Merges what another replica knows; merging it twice changes nothing. */
  merge(report: DeclineReport): void;
};

/** The client that makes a payment, under names that contain neither address nor e-mail; `groupId` when it starts one. */
export type Origin = {
  readonly client?: string | undefined;
  readonly payer?: string | undefined;
  readonly groupId?: string | undefined;
};

/** Rules for declines; `visitor` is for reservations that a client abandons in one group. */
export type GuardRules = Readonly<Record<'group' | 'client' | 'payer' | 'visitor', DeclineRule>>;

/** The most groups, clients and payers kept, at most a kilobyte each; only a decline adds one. */
const MOST_TALLIES = 10_000;
/** The most payments whose origin is kept, 300 bytes each; a payer has minutes to finish one. */
const MOST_PAYMENTS = 20_000;
/** A payer may begin a payment at one address and confirm it at another; more than six addresses are not kept. */
const MOST_ORIGINS = 6;

/**
 * Stops card testing: a payer of a group, a client or a whole group with too many declines may not pay for a while.
 * A group is blocked only after many more declines than a payer or a client, so that one visitor cannot stop the
 * others. A client that again and again takes slots of a group and lets the reservation end may start no payment there
 * for a while: an invented e-mail address takes slots for nothing. All state is in memory: every replica receives the events of declines, and sends the other replicas what
 * only it knows. `now` is a monotonic clock, ms.
 */
export function declineGuard(rules: GuardRules, now: () => number): DeclineGuard {
  const tallies = new Recent<Tally>(MOST_TALLIES);
  const origins = new Recent<readonly string[]>(MOST_PAYMENTS);
  let unreported: { key: string; id: string; atMs: number }[] = [];
  let lastGroupFreeMs = -Infinity;

  const keep = (key: string, tally: Tally): void => {
    tallies.set(key, tally);
    if (isOfGroup(key)) lastGroupFreeMs = Math.max(lastGroupFreeMs, tally.blockedUntilMs);
  };
  const count = (key: string, id: string, atMs: number): void => {
    const before = tallies.get(key) ?? noDeclines;
    keep(key, withDecline(before, id, atMs, rules[findKind(key)]));
  };
  const countAgainst = (intentId: string, id: string, isCounted: (key: string) => boolean): void => {
    const atMs = now();
    for (const key of (origins.get(intentId) ?? []).filter(isCounted)) {
      count(key, id, atMs);
      unreported.push({ key, id, atMs });
    }
  };
  const restMs = (key: string): number => Math.max(0, (tallies.get(key)?.blockedUntilMs ?? 0) - now());

  return {
    abandonedSeconds: ({ groupId, client }) =>
      client === undefined ? 0 : restMs(visitorKey(groupId, client)) / 1_000,
    blockedSeconds: ({ groupId, ...origin }) =>
      Math.max(...[groupKey(groupId), ...listOriginKeys(origin)].map(restMs)) / 1_000,
    blocksAnyGroup: () => lastGroupFreeMs > now(),
    madeFrom(origin, intentId) {
      const known = origins.get(intentId) ?? [];
      origins.set(intentId, [...new Set([...known, ...listOriginKeys(origin)])].slice(-MOST_ORIGINS));
    },
    declined({ id, groupId, intentId }) {
      const atMs = now();
      count(groupKey(groupId), id, atMs);
      countAgainst(intentId, id, (key) => findKind(key) !== 'visitor');
    },
    abandoned: ({ id, intentId }) => countAgainst(intentId, id, (key) => findKind(key) === 'visitor'),
    collect() {
      const report = unreported;
      unreported = [];
      return { declines: report.map(aged(now())), blocks: [] };
    },
    collectAll: () => reportAll(tallies, now()),
    merge({ declines, blocks }) {
      const nowMs = now();
      for (const { key, id, ageMs } of declines) count(key, id, nowMs - ageMs);
      for (const { key, restMs: rest } of blocks) {
        const tally = tallies.get(key) ?? noDeclines;
        keep(key, { ...tally, blockedUntilMs: Math.max(tally.blockedUntilMs, nowMs + rest) });
      }
    },
  };
}

const groupKey = (groupId: string): string => `group ${groupId}`;
const visitorKey = (groupId: string, client: string): string => `visitor ${groupId} ${client}`;
const isOfGroup = (key: string): boolean => key.startsWith('group ');

function findKind(key: string): keyof GuardRules {
  const kind = key.slice(0, key.indexOf(' '));
  return kind === 'group' || kind === 'payer' || kind === 'visitor' ? kind : 'client';
}

const listOriginKeys = ({ client, payer, groupId }: Origin): string[] => [
  ...(client === undefined || groupId === undefined ? [] : [visitorKey(groupId, client)]),
  ...(client === undefined ? [] : [`client ${client}`]),
  ...(payer === undefined ? [] : [`payer ${payer}`]),
];

type Dated = { readonly key: string; readonly id: string; readonly atMs: number };
const aged =
  (nowMs: number) =>
  ({ key, id, atMs }: Dated) => ({ key, id, ageMs: Math.max(0, Math.round(nowMs - atMs)) });

function reportAll(tallies: Recent<Tally>, nowMs: number): DeclineReport {
  const all = [...tallies.entries()];
  const declines = all.flatMap(([key, tally]) =>
    [...tally.declines].map(([id, atMs]) => aged(nowMs)({ key, id, atMs })),
  );
  const blocks = all
    .map(([key, { blockedUntilMs }]) => ({ key, restMs: Math.round(blockedUntilMs - nowMs) }))
    .filter(({ restMs }) => restMs > 0);
  return { declines, blocks };
}
