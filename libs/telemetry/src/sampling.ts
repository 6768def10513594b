import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceFlags,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@gp/bundled/opentelemetry';

/** The samplers that `OTEL_TRACES_SAMPLER` may name. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/**
 * Builds the sampler of a name. A sampler that follows the parent also follows links: a new trace that is linked to others
 * is recorded when one of those is, so that links of a recorded trace lead somewhere. `ratio` is 0 to 1.
 */
export function buildSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return followParent(new AlwaysOnSampler());
    case 'parentbased_always_off':
      return followParent(new AlwaysOffSampler());
    case 'parentbased_traceidratio':
      return followParent(new TraceIdRatioBasedSampler(ratio));
  }
}

function followParent(root: Sampler): Sampler {
  return new ParentBasedSampler({ root: followLinks(root) });
}

function followLinks(fallback: Sampler): Sampler {
  return {
    shouldSample(parent, traceId, name, kind, attributes, links) {
      if (links.length === 0) return fallback.shouldSample(parent, traceId, name, kind, attributes, links);
      const isRecorded = links.some((link) => link.context.traceFlags & TraceFlags.SAMPLED);
      return { decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `linked, else ${fallback.toString()}`,
  };
}
