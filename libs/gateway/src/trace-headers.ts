import type { Mode } from '@gp/contracts';
import { currentTraceparent } from '@gp/telemetry';

/**
 * Headers that let the gateway's side go on with our trace: in test mode, where the sandbox answers. A gateway that
 * moves real money is told no ids of ours beyond those it needs.
 */
export function traceHeaders(mode: Mode): Record<string, string> {
  const traceparent = mode === 'test' ? currentTraceparent() : undefined;
  return traceparent === undefined ? {} : { traceparent };
}
