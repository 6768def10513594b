import type { Delivery } from '../../../../src/http/api.ts';
import type { Tone } from '../../parts/tone.ts';

/** The reason why no response came, in words for a merchant's developer. */
const REASONS: Readonly<Record<string, string>> = {
  address_blocked: 'address is not allowed',
  dns: 'name not found',
  connect: 'connection refused',
  connect_timeout: 'no connection in time',
  tls: 'TLS failed',
  reset: 'connection cut',
  timeout: 'no answer in time',
  protocol: 'not an HTTP answer',
};

/** Returns the result of an attempt in a few words. */
export function describeOutcome(
  attempt: Pick<Delivery['attempts'][number], 'outcome' | 'http_status' | 'error_class'>,
): {
  readonly tone: Tone;
  readonly words: string;
} {
  const { outcome, http_status, error_class } = attempt;
  if (outcome === 'acknowledged') return { tone: 'good', words: `${http_status ?? ''} acknowledged`.trim() };
  if (error_class !== null) return { tone: 'bad', words: REASONS[error_class] ?? error_class };
  if (outcome === 'redirect')
    return { tone: 'bad', words: `${http_status ?? ''} redirects are not followed` };
  return { tone: 'bad', words: `answered ${http_status ?? outcome}` };
}
