import { UUID } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { HttpRequest } from '@gp/http';

/** Returns the id in the path; throws not_found when it is no UUID, as for an id that does not exist. */
export function pathId({ params }: Pick<HttpRequest, 'params'>, noun: string, name = 'id'): string {
  const id = params[name] ?? '';
  if (!UUID.test(id)) throw notFound(noun);
  return id.toLowerCase();
}
