import { describeErrorClass } from '../../../../src/domain/endpoint-failure.ts';
import type { Delivery } from '../../../../src/http/api.ts';
import type { Tone } from '../../parts/tone.ts';

/** Returns the result of an attempt in a few words. */
export function describeOutcome(
  attempt: Pick<Delivery['attempts'][number], 'outcome' | 'http_status' | 'error_class'>,
): {
  readonly tone: Tone;
  readonly words: string;
} {
  const { outcome, http_status, error_class } = attempt;
  if (outcome === 'acknowledged') return { tone: 'good', words: `${http_status ?? ''} acknowledged`.trim() };
  if (error_class !== null) return { tone: 'bad', words: describeErrorClass(error_class) };
  if (outcome === 'redirect')
    return { tone: 'bad', words: `${http_status ?? ''} redirects are not followed` };
  return { tone: 'bad', words: `answered ${http_status ?? outcome}` };
}
