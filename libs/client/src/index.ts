export { openClient, type CallOptions, type Client } from './client.ts';
export { GroupPaymentsError, NoAnswerError, type FailureCode } from './failure.ts';
export { followEvents, type FollowOptions } from './follow.ts';
export { choices } from './generated/interface.ts';
export type * from './generated/interface.ts';
export { each } from './pages.ts';
export type { WebhookEvent } from './webhooks.ts';
export { send, type Sending, type Settings } from './send.ts';
