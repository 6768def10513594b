import { UUID } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { HttpRequest } from '@gp/http';

/** The id in the path; what is no UUID is the id of nothing. */
export function pathId({ params }: Pick<HttpRequest, 'params'>, noun: string, name = 'id'): string {
  const id = params[name] ?? '';
  if (!UUID.test(id)) throw notFound(noun);
  return id.toLowerCase();
}
