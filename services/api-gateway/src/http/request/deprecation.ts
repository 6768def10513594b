import type { publicApi } from '@gp/contracts';
import type { HttpResponse } from '@gp/http';

/** Adds the dates of the operation's deprecation and of its end, in the headers of RFC 9745 and RFC 8594. */
export function withDeprecation(response: HttpResponse, { deprecated }: publicApi.Operation): HttpResponse {
  if (!deprecated) return response;
  const dates = {
    Deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    Sunset: new Date(deprecated.sunset).toUTCString(),
  };
  return { ...response, headers: { ...response.headers, ...dates } };
}
