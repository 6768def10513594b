export { aheadMs, moveClock, sqlAhead } from './clocks.ts';
export { followTestClock, type Follower, type OwnWork, type Shift } from './follow.ts';
export { lookAtOutbox } from './outbox-work.ts';
