/** The files that `npm run generate` writes from what the programs do on the bus. */
export const PERMISSIONS = 'libs/stack/bus-permissions.json';
export const PRODUCTION = 'k8s/production/nats-permissions.yaml';
export const BUNDLED = 'charts/group-payments/bundled/nats.conf';
export const DEV = 'k8s/dev/nats-identities.yaml';
