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
  /** Seconds this group's payers, or this client, must wait before they may pay again; 0 when they need not. */
  blockedSeconds(who: { groupId: string; client: string | undefined }): number;
  /** Returns true while the payers of at least one group must wait. */
  blocksAnyGroup(): boolean;
  /** Records the client that makes a payment: declines of the payment count against that client. */
  madeFrom(client: string, intentId: string): void;
  /** Counts a decline against its group and, where this replica knows it, its client. */
  declined(payment: DeclinedPayment): void;
  /** Returns what only this replica knows since the last call: declines of clients. */
  collect(): DeclineReport;
  /** Returns all declines and blocks, for a replica that has just started. */
  collectAll(): DeclineReport;
  /** Merges what another replica knows; merging it twice changes nothing. */
  merge(report: DeclineReport): void;
};

export type GuardRules = { readonly group: DeclineRule; readonly client: DeclineRule };

/** The most groups and clients kept, at most a kilobyte each; only a decline adds one. */
const MOST_TALLIES = 10_000;
/** The most payments whose client is kept, 200 bytes each; a payer has minutes to finish one. */
const MOST_PAYMENTS = 20_000;

/**
 * Stops card testing: after too many declines of one group or one client, that group or client may not pay for a
 * while. All state is in memory: declines are events that every replica receives, and a replica sends the others
 * what only it knows. `now` is a monotonic clock, ms.
 */
export function declineGuard(rules: GuardRules, now: () => number): DeclineGuard {
  const tallies = new Recent<Tally>(MOST_TALLIES);
  const clients = new Recent<string>(MOST_PAYMENTS);
  let unreported: { key: string; id: string; atMs: number }[] = [];
  let lastGroupFreeMs = -Infinity;

  const keep = (key: string, tally: Tally): void => {
    tallies.set(key, tally);
    if (isOfGroup(key)) lastGroupFreeMs = Math.max(lastGroupFreeMs, tally.blockedUntilMs);
  };
  const count = (key: string, id: string, atMs: number): void => {
    const before = tallies.get(key) ?? noDeclines;
    keep(key, withDecline(before, id, atMs, isOfGroup(key) ? rules.group : rules.client));
  };
  const restMs = (key: string): number => Math.max(0, (tallies.get(key)?.blockedUntilMs ?? 0) - now());

  return {
    blockedSeconds({ groupId, client }) {
      const own = client === undefined ? 0 : restMs(clientKey(client));
      return Math.max(restMs(groupKey(groupId)), own) / 1_000;
    },
    blocksAnyGroup: () => lastGroupFreeMs > now(),
    madeFrom: (client, intentId) => clients.set(intentId, client),
    declined({ id, groupId, intentId }) {
      const atMs = now();
      count(groupKey(groupId), id, atMs);
      const client = clients.get(intentId);
      if (client === undefined) return;
      const key = clientKey(client);
      count(key, id, atMs);
      unreported.push({ key, id, atMs });
    },
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
const isOfGroup = (key: string): boolean => key.startsWith('group ');
const clientKey = (client: string): string => `client ${client}`;

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
