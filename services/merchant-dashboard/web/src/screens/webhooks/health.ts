import type { EndpointHealth } from '../../../../src/http/api.ts';
import type { Tone } from '../../parts/tone.ts';

/** Returns an endpoint's health in the last 24 hours, in a few words. */
export function describeHealth(health: EndpointHealth | undefined): {
  readonly tone: Tone;
  readonly words: string;
} {
  if (!health || health.acknowledged + health.failed === 0) {
    const waiting = health?.pending ?? 0;
    return waiting > 0
      ? { tone: 'warn', words: `${waiting} waiting` }
      : { tone: 'neutral', words: 'nothing sent' };
  }
  const { acknowledged, failed } = health;
  if (failed === 0) return { tone: 'good', words: `${acknowledged} acknowledged` };
  const share = Math.floor((acknowledged / (acknowledged + failed)) * 100);
  return { tone: share >= 90 ? 'warn' : 'bad', words: `${share} % of ${acknowledged + failed} acknowledged` };
}
