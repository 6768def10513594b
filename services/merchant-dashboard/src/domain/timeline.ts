import type { listGroupDeliveries, ResponseOf, TransitionView } from '@gp/contracts';

type GroupDelivery = ResponseOf<typeof listGroupDeliveries>['deliveries'][number];

/**
 * One thing that happened to a group, to one of its payments, or on the way of one of its events. `trace_id` finds it in
 * the traces; `is_command` says that an API call or a person asked for it.
 */
export type Happening = {
  readonly at: string;
  readonly kind: 'group' | 'payment' | 'webhook';
  /** A word of ours for what happened, e.g. `preauthorised`, `captured`, `expired`, `delivered`. */
  readonly what: string;
  readonly from: string | null;
  readonly actor: string;
  readonly trace_id: string | null;
  readonly is_command: boolean;
  readonly payment_intent_id: string | null;
  readonly webhook: {
    readonly endpoint_id: string;
    readonly url: string;
    readonly event_id: string;
    readonly event_type: GroupDelivery['event_type'];
    readonly attempts: number;
    readonly next_attempt_at: string | null;
  } | null;
};

/** Everything in one line of time, oldest first; what happened at one instant keeps its order. */
export function timelineOf(
  transitions: readonly TransitionView[],
  deliveries: readonly GroupDelivery[],
): Happening[] {
  const happenings = [...transitions.map(ofTransition), ...deliveries.map(ofDelivery)];
  return happenings.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function ofTransition(transition: TransitionView): Happening {
  const { at, actor, trace_id, is_command, state_from, state_to, entity, entity_id } = transition;
  const isGroup = entity === 'group';
  return {
    at,
    kind: isGroup ? 'group' : 'payment',
    what: state_to,
    from: state_from,
    actor,
    trace_id,
    is_command,
    payment_intent_id: isGroup ? null : entity_id,
    webhook: null,
  };
}

function ofDelivery(delivery: GroupDelivery): Happening {
  const { endpoint_id, url, event_id, event_type, attempts, next_attempt_at } = delivery;
  return {
    at: delivery.settled_at ?? delivery.created_at,
    kind: 'webhook',
    what: delivery.state,
    from: null,
    actor: 'webhook-dispatcher',
    trace_id: delivery.trace_id,
    is_command: false,
    payment_intent_id: null,
    webhook: { endpoint_id, url, event_id, event_type, attempts, next_attempt_at },
  };
}
