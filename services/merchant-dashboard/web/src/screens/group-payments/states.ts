import type { GroupState, IntentState } from '../../../../src/http/api.ts';

/** The states in the order of a group's life; a new state of the platform that this list lacks is a type error. */
const ORDER: Readonly<Record<GroupState, number>> = {
  draft: 0,
  open: 1,
  partially_preauthorised: 2,
  preauthorised: 3,
  capturing: 4,
  partially_paid: 5,
  paid: 6,
  capture_failed: 7,
  refunding: 8,
  partially_refunded: 9,
  refunded: 10,
  refund_failed: 11,
  expired: 12,
  cancelled: 13,
};

export const GROUP_STATES = Object.keys(ORDER) as readonly GroupState[];

const MOVING: ReadonlySet<GroupState> = new Set<GroupState>([
  'open',
  'partially_preauthorised',
  'preauthorised',
  'capturing',
  'partially_paid',
  'refunding',
]);

const MOVING_PAYMENTS: ReadonlySet<IntentState> = new Set<IntentState>([
  'processing',
  'capture_pending',
  'refund_pending',
  'void_pending',
]);

/** Returns whether the expiry of a group payment matters: slots are still to be paid, or time ran out. */
export const isDecidedByExpiry = ({ state }: { readonly state: GroupState }): boolean =>
  ORDER[state] < ORDER.preauthorised || state === 'expired';

type Moving = {
  readonly group_payment: { readonly state: GroupState };
  readonly payments: readonly { readonly state: IntentState }[];
};

/** Returns whether the state may still change by itself: holds are released after the group has ended. */
export const isMoving = ({ group_payment, payments }: Moving): boolean =>
  MOVING.has(group_payment.state) || payments.some(({ state }) => MOVING_PAYMENTS.has(state));
