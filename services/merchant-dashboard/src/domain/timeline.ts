import {
  findDeclineReason,
  type Failure,
  type listGroupDeliveries,
  type ResponseOf,
  type ToldDeclineReason,
  type TransitionView,
} from '@gp/contracts';

type GroupDelivery = ResponseOf<typeof listGroupDeliveries>['deliveries'][number];

/** Why a payment or its refund failed: `message` is a sentence for merchants; `decline_reason` is null where a card's reason is not told. */
export type ToldFailure = {
  readonly code: string;
  readonly message: string;
  readonly decline_reason: ToldDeclineReason | null;
};

/**
 * One entry of a timeline: a change of a group or of one of its payments, or the delivery of one of its events.
 * `trace_id` identifies its trace; `is_command` marks entries that an API call or a person requested.
 */
export type Happening = {
  readonly at: string;
  readonly kind: 'group' | 'payment' | 'webhook';
  /** Our name for the change, e.g. `preauthorised`, `captured`, `expired`, `delivered`. */
  readonly what: string;
  readonly from: string | null;
  readonly actor: string;
  readonly trace_id: string | null;
  readonly is_command: boolean;
  readonly payment_intent_id: string | null;
  readonly failure: ToldFailure | null;
  /** The gateway's name of the payment, where the gateway reported the change. */
  readonly psp_reference: string | null;
  readonly webhook: {
    readonly endpoint_id: string;
    readonly url: string;
    readonly event_id: string;
    readonly event_type: GroupDelivery['event_type'];
    readonly attempts: number;
    readonly next_attempt_at: string | null;
  } | null;
};

/** Merges all entries into one timeline, oldest first; entries of one instant keep their order. */
export function buildTimeline(
  transitions: readonly TransitionView[],
  deliveries: readonly GroupDelivery[],
): Happening[] {
  const happenings = [...transitions.map(fromTransition), ...deliveries.map(fromDelivery)];
  return happenings.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function fromTransition(transition: TransitionView): Happening {
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
    failure: tellFailure(transition.failure ?? null),
    psp_reference: transition.psp_reference ?? null,
    webhook: null,
  };
}

/** Returns the parts of a failure that the dashboard shows; null where nothing failed. */
export function tellFailure(failure: Failure | null): ToldFailure | null {
  if (!failure) return null;
  const { code, message } = failure;
  return { code, message, decline_reason: findDeclineReason(failure) };
}

function fromDelivery(delivery: GroupDelivery): Happening {
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
    failure: null,
    psp_reference: null,
    webhook: { endpoint_id, url, event_id, event_type, attempts, next_attempt_at },
  };
}
