import { metrics } from '@gp/telemetry';
import { computeRoom, computeUsage, type PoolPolicy, type Room } from '../../domain/pool.ts';
import {
  recordAnswer,
  recordFailure,
  computeAllowance,
  newLane,
  readLaneState,
  type Lane,
  type LanePolicy,
} from '../../domain/lane.ts';

/** This process's view of the endpoints it sends to. Another replica builds its own, with as few requests. */
export type LaneBook = {
  /** How many more requests may be sent now. */
  room(): number;
  /** How many more may be sent now, whatever the endpoints: no more than to those that are not trusted. */
  roomForUntrusted(): number;
  /** How many deliveries of each of these lanes may be under way, in their order. */
  allot(endpointIds: readonly string[]): number[];
  /** Lanes from which nothing should be claimed now: open ones, full ones, and doubtful ones their share is used up. */
  closed(): string[];
  /** A request leaves; the answer is to be called when it ends, with undefined when nothing was sent. */
  begin(endpointId: string): (answered: boolean | undefined) => void;
  /** The lanes with most requests under way, fullest first. */
  fullest(most: number): readonly { readonly endpointId: string; readonly count: number }[];
  /** Endpoints whose lane is open or is being tested, and those that kept their last request waiting for seconds. */
  unresponsive(): string[];
};

/** A request that has no answer after this time holds no test clock, ms; most endpoints answer in a tenth of it. */
const SILENT_MS = 3_000;
/** Lanes remembered; beyond it the least recently used one starts anew. */
const REMEMBERED = 10_000;

const states = metrics.gauge({
  name: 'gp_webhook_lanes',
  help: 'Endpoints this process has sent to, by the state of their circuit breaker',
  unit: 'endpoints',
  labels: ['state'],
  zero: [{ state: 'closed' }, { state: 'half_open' }, { state: 'open' }],
});
/** Reads the use of the pool of this process. */
let readUsage = (): number => 0;
metrics.gauge({
  name: 'gp_webhook_pool_used_ratio',
  help: 'Share of the requests this process may have under way that is taken; at 1, another replica would send more',
  unit: 'ratio',
  // Set when requests are claimed, it would be high for as long as nothing is claimed afterwards.
  collect: (gauge) => gauge.set(readUsage()),
});

export function openLaneBook(policy: LanePolicy, pool: PoolPolicy, now: () => number): LaneBook {
  const lanes = new Map<string, Lane>();
  const tripped = new Set<string>();
  /** When each request under way left, by lane, oldest first. */
  const inFlight = new Map<string, Set<{ readonly atMs: number }>>();
  const findLane = (id: string): Lane => lanes.get(id) ?? newLane(policy);
  /** Doubtful lanes that had to be left out since their share was last used up: nothing else may be known of them. */
  const passedBy = new Set<string>();
  const allowed = (id: string): number => computeAllowance(findLane(id), now());
  const countInFlight = (id: string): number => inFlight.get(id)?.size ?? 0;
  const countSlow = (id: string): number =>
    [...(inFlight.get(id) ?? [])].filter(({ atMs }) => now() - atMs >= pool.slowMs).length;
  const isTrusted = (id: string): boolean => findLane(id).isTrusted && countSlow(id) === 0;

  const roomNow = (): Room => {
    const use = { trusted: 0, untrusted: 0, slow: 0 };
    for (const id of inFlight.keys()) {
      use[isTrusted(id) ? 'trusted' : 'untrusted'] += countInFlight(id);
      use.slow += countSlow(id);
    }
    return computeRoom(pool, use);
  };
  readUsage = () => computeUsage(pool, roomNow());
  /** Lanes whose last request that ended had been under way for `SILENT_MS`. */
  const silent = new Set<string>();
  const isSilent = (request: { readonly atMs: number }): boolean => now() - request.atMs >= SILENT_MS;
  const store = (id: string, lane: Lane): void => {
    lanes.delete(id);
    lanes.set(id, lane);
    if (lane.openUntilMs === null) tripped.delete(id);
    else tripped.add(id);
    const [oldest] = lanes.keys();
    if (lanes.size > REMEMBERED && oldest !== undefined)
      for (const each of [lanes, tripped, silent]) each.delete(oldest);
  };
  const show = (): void => {
    const half = [...tripped].filter((each) => readLaneState(findLane(each), now()) === 'half_open').length;
    states.set({ state: 'closed' }, lanes.size - tripped.size);
    states.set({ state: 'half_open' }, half);
    states.set({ state: 'open' }, tripped.size - half);
  };

  return {
    room: () => roomNow().all,
    roomForUntrusted: () => roomNow().untrusted,
    allot(ids) {
      let { untrusted } = roomNow();
      return ids.map((id) => {
        if (isTrusted(id)) return allowed(id);
        const wanted = Math.max(0, allowed(id) - countInFlight(id));
        const more = Math.min(wanted, untrusted);
        if (more < wanted) passedBy.add(id);
        untrusted -= more;
        return countInFlight(id) + more;
      });
    },
    closed() {
      const isShut = roomNow().untrusted === 0;
      if (!isShut) passedBy.clear();
      const known = isShut
        ? [...lanes.keys(), ...inFlight.keys(), ...passedBy]
        : [...tripped, ...inFlight.keys()];
      return [...new Set(known)].filter(
        (id) => countInFlight(id) >= allowed(id) || (isShut && !isTrusted(id)),
      );
    },
    fullest: (most) =>
      [...inFlight]
        .map(([endpointId, requests]) => ({ endpointId, count: requests.size }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, most),
    unresponsive() {
      const waiting = [...inFlight].filter(([, requests]) => [...requests].some(isSilent)).map(([id]) => id);
      return [...new Set([...tripped, ...silent, ...waiting])];
    },
    begin(id) {
      const request = { atMs: now() };
      const requests = inFlight.get(id) ?? new Set();
      inFlight.set(id, requests.add(request));
      show();
      return (answered) => {
        requests.delete(request);
        if (requests.size === 0) inFlight.delete(id);
        if (answered !== undefined) {
          if (isSilent(request)) silent.add(id);
          else silent.delete(id);
          store(
            id,
            answered ? recordAnswer(findLane(id), policy) : recordFailure(findLane(id), policy, now()),
          );
        }
        show();
      };
    },
  };
}
