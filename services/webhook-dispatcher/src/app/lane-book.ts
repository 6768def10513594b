import { metrics } from '@gp/telemetry';
import {
  afterAnswer,
  afterFailure,
  allowanceOf,
  newLane,
  stateOf,
  type Lane,
  type LanePolicy,
} from '../domain/lane.ts';

/** What this process knows of the endpoints it sends to. Another replica learns for itself, in as few requests. */
export type LaneBook = {
  allowanceOf(endpointId: string): number;
  /** Lanes from which nothing should be claimed now: open ones and those that are full. */
  closed(): string[];
  begin(endpointId: string): void;
  /** `answered` is undefined when nothing was sent. */
  end(endpointId: string, answered: boolean | undefined): void;
  readonly inFlight: number;
};

/** Lanes remembered; beyond it the one not heard of for longest starts anew. */
const REMEMBERED = 10_000;

const states = metrics.gauge({
  name: 'gp_webhook_lanes',
  help: 'Endpoints this process has sent to, by the state of their circuit breaker',
  unit: 'endpoints',
  labels: ['state'],
});
const filling = metrics.gauge({
  name: 'gp_webhook_lane_in_flight_deliveries',
  help: 'Requests under way, for each endpoint that has any',
  unit: 'deliveries',
  labels: ['endpoint_id'],
});

export function openLaneBook(policy: LanePolicy, now: () => number): LaneBook {
  const lanes = new Map<string, Lane>();
  const tripped = new Set<string>();
  const inFlight = new Map<string, number>();
  let total = 0;
  const laneOf = (id: string): Lane => lanes.get(id) ?? newLane(policy);
  const allowed = (id: string): number => allowanceOf(laneOf(id), now());
  const isFull = (id: string): boolean => (inFlight.get(id) ?? 0) >= allowed(id);

  const remember = (id: string, lane: Lane): void => {
    lanes.delete(id);
    lanes.set(id, lane);
    if (lane.openUntilMs === null) tripped.delete(id);
    else tripped.add(id);
    const [oldest] = lanes.keys();
    if (lanes.size > REMEMBERED && oldest !== undefined) {
      lanes.delete(oldest);
      tripped.delete(oldest);
    }
  };
  const show = (id: string): void => {
    const count = inFlight.get(id);
    if (count === undefined) filling.remove(id);
    else filling.set({ endpoint_id: id }, count);
    const half = [...tripped].filter((each) => stateOf(laneOf(each), now()) === 'half_open').length;
    states.set({ state: 'closed' }, lanes.size - tripped.size);
    states.set({ state: 'half_open' }, half);
    states.set({ state: 'open' }, tripped.size - half);
  };

  return {
    allowanceOf: allowed,
    closed: () => [...new Set([...tripped, ...inFlight.keys()])].filter(isFull),
    begin(id) {
      total += 1;
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      show(id);
    },
    end(id, answered) {
      total -= 1;
      const left = (inFlight.get(id) ?? 1) - 1;
      if (left > 0) inFlight.set(id, left);
      else inFlight.delete(id);
      if (answered !== undefined) {
        remember(id, answered ? afterAnswer(laneOf(id), policy) : afterFailure(laneOf(id), policy, now()));
      }
      show(id);
    },
    get inFlight() {
      return total;
    },
  };
}
