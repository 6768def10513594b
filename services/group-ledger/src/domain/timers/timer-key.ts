/** Names of a group's durable timers: setting a key again moves it. */
export const timerKey = {
  expiry: (groupId: string) => `expiry:${groupId}`,
  reservation: (intentId: string) => `reservation:${intentId}`,
  query: (authorizationId: string) => `query:${authorizationId}`,
  hold: (intentId: string) => `hold:${intentId}`,
  capture: (intentId: string) => `capture:${intentId}`,
  void: (authorizationId: string) => `void:${authorizationId}`,
  refund: (intentId: string) => `refund:${intentId}`,
} as const;
