import type { KeyScope } from '../../../../src/http/api.ts';

/** The rights of a key, in words. */
export const SCOPE_MEANINGS: Readonly<Record<KeyScope, string>> = {
  read: 'Read everything',
  payments: 'Make group payments and take payments',
  refunds: 'Refund',
  webhooks: 'Manage webhooks',
  logs: 'Read the log of requests',
  test_clock: 'Move the test clock',
};
