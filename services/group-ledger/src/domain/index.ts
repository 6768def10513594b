export { decide } from './decide.ts';
export { createGroup } from './create.ts';
export { allocationUnit, isGatewayDependent } from './allocation-unit.ts';
export type { Distribution, NewGroup } from './create.ts';
export { derive, isRefundSettled, stateOtherwise } from './derive.ts';
export { commandOfTimer } from './timers.ts';
export { timerKey } from './timer-key.ts';
export { gatewayFacts } from './gateway-facts.ts';
export { defaultPolicy } from './policy.ts';
export type { Ladder, Policy } from './policy.ts';
export { groupMachine } from './group.machine.ts';
export type { GroupState } from './group.machine.ts';
export { slotMachine } from './slot.machine.ts';
export type { SlotState } from './slot.machine.ts';
export { intentMachine } from './payment-intent.machine.ts';
export type { IntentState } from './payment-intent.machine.ts';
export { attemptMachine } from './attempt.machine.ts';
export type { AttemptState } from './attempt.machine.ts';
export { IllegalTransition } from './change.ts';
export type * from './command.ts';
export type * from './decision.ts';
export { findAttempt, findCapture, findIntent, isCollecting } from './group.ts';
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
} from './group.ts';
export { addMoney, compareBooks, nothing } from './compare-books.ts';
export type { Booked, PaymentMoney } from './compare-books.ts';
