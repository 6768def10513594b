import type { Mode } from '@gp/contracts';
import { currentTraceparent } from '@gp/telemetry';

/**
 * Returns headers with which the gateway's side continues our trace: in test mode, where the sandbox replies. A
 * gateway that moves real money gets only the ids that it needs.
 */
export function traceHeaders(mode: Mode): Record<string, string> {
  const traceparent = mode === 'test' ? currentTraceparent() : undefined;
  return traceparent === undefined ? {} : { traceparent };
}
