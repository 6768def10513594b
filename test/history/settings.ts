/** What takes a minute in production and would only be waited for here: the sandbox forgets nothing. */
export const hurried: NodeJS.ProcessEnv = {
  GP_SET_SETTLE_WINDOW_MS: '1000',
  GP_SET_IDEMPOTENCY_LEASE_MS: '1000',
};
