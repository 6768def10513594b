import type { Endpoint, EndpointHealth } from '../../../../src/http/api.ts';
import { describeErrorClass } from '../../../../src/domain/endpoint-failure.ts';

export type Waiting = {
  readonly title: string;
  readonly sentences: readonly string[];
  /** When the next delivery is tried; null when none is. */
  readonly nextAttemptAt: string | null;
};

/**
 * Returns why deliveries to an endpoint wait; undefined when its latest request was acknowledged, or none was sent. How
 * to turn an endpoint on is said to those who may.
 */
export function describeWaiting(
  { enabled }: Pick<Endpoint, 'enabled'>,
  health: EndpointHealth | undefined,
  mayChange: boolean,
): Waiting | undefined {
  if (!enabled)
    return {
      title: 'Sending is off',
      sentences: describeKept(health?.held ?? 0, mayChange),
      nextAttemptAt: null,
    };
  if (health?.failing_since == null) return undefined;
  const { pending, next_attempt_at } = health;
  return {
    title:
      pending === 0 ? 'The latest request failed' : `${count(pending)} ${pending === 1 ? 'waits' : 'wait'}`,
    sentences: [...describeLatest(health), ...(pending === 0 ? [] : [describeTries(health)])],
    nextAttemptAt: pending === 0 ? null : (next_attempt_at ?? null),
  };
}

function describeKept(held: number, mayChange: boolean): string[] {
  const kept = held === 0 ? [] : [`${count(held)} ${held === 1 ? 'is' : 'are'} kept.`];
  const next = mayChange
    ? 'Turn it on under “Change”, and recover the period below to have what was kept sent.'
    : 'What was kept can be sent once the endpoint is on again.';
  return [...kept, next];
}

function describeLatest({ last_http_status, last_error_class }: EndpointHealth): string[] {
  if (last_error_class != null) return [`Last result: ${describeErrorClass(last_error_class)}.`];
  return last_http_status == null ? [] : [`Last result: your server answered ${last_http_status}.`];
}

function describeTries({ last_error_class }: EndpointHealth): string {
  return last_error_class == null
    ? 'Each delivery is tried 7 times within about 18 hours, with longer pauses each time.'
    : 'Your server gives no answer. After five such requests in a row the others are held back, and one a minute tests whether it answers again; none of those held back loses a try.';
}

const count = (deliveries: number): string => (deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`);
