import { randomUUID } from 'node:crypto';
import { defaultResource, resourceFromAttributes, type Resource } from '@gp/bundled/opentelemetry';
import { attribute } from './attributes.ts';

export type ResourceSettings = {
  readonly service: string;
  /** The release, `1.2.3`. */
  readonly version?: string | undefined;
  /** Attributes that the operator sets, under the names of the conventions; they come before ours. */
  readonly resourceAttributes?: Readonly<Record<string, string>> | undefined;
};

/** Tells the services of the platform from others of the same names. */
const NAMESPACE = 'group-payments';

/**
 * Describes the process whose spans are exported: name, release and instance of the service, and the version of the SDK.
 * The instance is new with every start.
 */
export function buildResource({ service, version, resourceAttributes }: ResourceSettings): Resource {
  const own = {
    [attribute.serviceNamespace]: NAMESPACE,
    [attribute.serviceInstance]: randomUUID(),
    ...(version !== undefined && { [attribute.serviceVersion]: version }),
  };
  return defaultResource().merge(
    resourceFromAttributes({ ...own, ...resourceAttributes, [attribute.serviceName]: service }),
  );
}
