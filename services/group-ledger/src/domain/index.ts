export { decide } from './decide.ts';
export { createGroup } from './group/create.ts';
export { allocationUnit, isGatewayDependent } from './group/allocation-unit.ts';
export type { Distribution, NewGroup } from './group/create.ts';
export { derive, isRefundSettled, stateOtherwise } from './group/derive.ts';
export { commandOfTimer } from './timers/timers.ts';
export { timerKey } from './timers/timer-key.ts';
export { gatewayFacts } from './gateway-facts.ts';
export { defaultPolicy } from './policy.ts';
export type { Ladder, Policy } from './policy.ts';
export { groupMachine } from './group/group.machine.ts';
export type { GroupState } from './group/group.machine.ts';
export { slotMachine } from './slot/slot.machine.ts';
export type { SlotState } from './slot/slot.machine.ts';
export { intentMachine } from './intent/payment-intent.machine.ts';
export type { IntentState } from './intent/payment-intent.machine.ts';
export { attemptMachine } from './authorization/attempt.machine.ts';
export type { AttemptState } from './authorization/attempt.machine.ts';
export { IllegalTransition } from './group/change.ts';
export type * from './command.ts';
export type * from './decision.ts';
export { findAttempt, findCapture, findIntent, isCollecting } from './group/group.ts';
export type {
  Attempt,
  Capture,
  Failure,
  Group,
  Intent,
  Mode,
  PspCode,
  RefundLine,
  RefundSource,
  Slot,
  Void,
} from './group/group.ts';
export { addMoney, compareBooks, nothing } from './books/compare-books.ts';
export type { Booked, PaymentMoney } from './books/compare-books.ts';
