import { notFound } from '@gp/errors';
import type { HttpRequest } from '@gp/http';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in the path; what is no UUID is the id of nothing. */
export function pathId({ params }: Pick<HttpRequest, 'params'>, noun: string, name = 'id'): string {
  const id = params[name] ?? '';
  if (!UUID.test(id)) throw notFound(noun);
  return id.toLowerCase();
}
