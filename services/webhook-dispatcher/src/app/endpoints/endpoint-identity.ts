/** The row a sealed secret belongs to. */
export const endpointIdentity = (endpointId: string): string => `webhooks.endpoints/${endpointId}/secret`;
