import { expect, it } from '@jest/globals';
import { ROOT_CONTEXT, SamplingDecision, SpanKind, TraceFlags, trace } from '@gp/bundled/opentelemetry';
import { buildSampler, SAMPLERS, type SamplerName } from './sampling.ts';

const TRACE = 'f'.repeat(32);
const remote = (traceFlags: TraceFlags) => ({
  traceId: TRACE,
  spanId: 'b'.repeat(16),
  traceFlags,
  isRemote: true,
});

/** Whether a sampler records a new trace, a child of a recorded span, a child of one that is not, and a new trace that is linked to a recorded one. */
function listDecisions(name: SamplerName, ratio: number): string {
  const sampler = buildSampler(name, ratio);
  const below = (flags: TraceFlags) => trace.setSpanContext(ROOT_CONTEXT, remote(flags));
  const isRecorded = (parent = ROOT_CONTEXT, links: { context: ReturnType<typeof remote> }[] = []) =>
    sampler.shouldSample(parent, TRACE, 'work', SpanKind.INTERNAL, {}, links).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
  return [
    isRecorded(),
    isRecorded(below(TraceFlags.SAMPLED)),
    isRecorded(below(TraceFlags.NONE)),
    isRecorded(ROOT_CONTEXT, [{ context: remote(TraceFlags.SAMPLED) }]),
  ]
    .map((recorded) => (recorded ? 'yes' : 'no'))
    .join(' ');
}

it.each([
  ['always_on', 'yes yes yes yes'],
  ['always_off', 'no no no no'],
  ['traceidratio', 'no no no no'],
  ['parentbased_always_on', 'yes yes no yes'],
  ['parentbased_always_off', 'no yes no yes'],
  ['parentbased_traceidratio', 'no yes no yes'],
] as const)('the sampler %s decides about new, continued and linked traces: %s (Q44)', (name, decisions) => {
  expect(listDecisions(name, 0)).toBe(decisions);
});

it('a sampler with a ratio of 1 records every new trace', () => {
  const ratios = SAMPLERS.filter((name) => name.endsWith('traceidratio'));
  expect(ratios.map((name) => listDecisions(name, 1).split(' ')[0])).toEqual(['yes', 'yes']);
});
