import type { LoggedRequestDetail } from '../../../../src/http/api.ts';

const PATH = /^\/v1\/group-payments\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** Returns the id of the group payment that a request names in its path, or that its answer is about. */
export function findGroupPaymentId({
  path,
  response_body: body,
}: Pick<LoggedRequestDetail, 'path' | 'response_body'>): string | undefined {
  const named = PATH.exec(path)?.[1];
  if (named !== undefined) return named.toLowerCase();
  const group = body?.['group_payment'];
  if (typeof group !== 'object' || group === null) return undefined;
  const { id } = group as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}
