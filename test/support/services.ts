/** Our own processes, as opposed to the servers beside them. */
export const services: readonly string[] = [
  'api-gateway',
  'group-ledger',
  'checkout',
  'refund',
  'gateway-a',
  'gateway-b',
  'gateway-c',
  'scheduler',
  'webhook-dispatcher',
  'merchant-dashboard',
  'psp-sandbox',
];
