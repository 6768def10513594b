import type { publicApi } from '@gp/contracts';
import type { HttpResponse } from '@gp/http';

/** An answer that tells when its operation was announced to end and when it ends, as RFC 9745 and RFC 8594 write it. */
export function withDeprecation(response: HttpResponse, { deprecated }: publicApi.Operation): HttpResponse {
  if (!deprecated) return response;
  const told = {
    Deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    Sunset: new Date(deprecated.sunset).toUTCString(),
  };
  return { ...response, headers: { ...response.headers, ...told } };
}
