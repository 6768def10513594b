import { fileURLToPath } from 'node:url';

/**
 * Directory of the tables outbox, inbox and dead_letters: pass it to `migrate` before a service's own directory.
 */
export const outboxMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

export {
  insertOutbox,
  outboxArrays,
  outboxInsertFragment,
  OUTBOX_PARAMETERS,
  type OutboxMessage,
} from './message.ts';
export { claimInbox, countDuplicates, inboxClaimFragment } from './inbox.ts';
export {
  callRelay,
  outboxFailPoints,
  outboxRelay,
  type OutboxFailPoint,
  type OutboxRelay,
  type RelayOptions,
} from './relay.ts';
export { INBOX_DAYS, OUTBOX_DAYS, outboxRetention } from './retention.ts';
export { republish } from './republish.ts';
export { listDeadLetters, recordDeadLetter, replayDeadLetter, type DeadLetter } from './dead-letters.ts';
export { buildConsumerOptions } from './consumer-options.ts';
export { findSettings, upsertSettings, type KnownSettings } from './merchant-settings.ts';
export { raiseTask, TASK_AGAIN, type NewTask } from './tasks.ts';
export { recordAction, type OperatorAction } from './operator-actions.ts';
export { answerOperator } from './answer-operator.ts';
export { backlog, type Backlog } from './backlog.ts';
