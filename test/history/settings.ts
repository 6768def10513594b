/** Settings that take a minute of real time in production and would only be waited for here. */
export const hurried: NodeJS.ProcessEnv = {
  GP_SET_IDEMPOTENCY_LEASE_MS: '1000',
  GP_SET_RECONCILE_SETTLE_MS: '2000',
};
