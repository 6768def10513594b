/** Pieces of a JSON Schema, as the chart's values need them. */
export type Schema = { readonly [keyword: string]: unknown };

/** Exactly these properties may be there; Helm adds the chart's own values before it asks. */
export const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

export const text = (pattern?: string): Schema => ({
  type: 'string',
  ...(pattern !== undefined && { pattern }),
});
export const bool: Schema = { type: 'boolean' };
export const count = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
});
export const buildEnum = (...values: readonly (string | number)[]): Schema => ({ enum: values });
export const list = (items: Schema): Schema => ({ type: 'array', items });
/** Handed on to Kubernetes as it is. */
export const map: Schema = { type: 'object' };
/** Handed on likewise, each with at least these fields. */
export const listWith = (...required: readonly string[]): Schema => list({ type: 'object', required });
export const labels: Schema = { type: 'object', additionalProperties: { type: 'string' } };
/** Laid over others; null takes one away. */
export const nullableLabels: Schema = {
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
};

const quantity: Schema = { type: ['string', 'integer'], pattern: '^[0-9.]+(m|Ki|Mi|Gi|k|M|G)?$' };

/** A limit of CPU is not among them: it stops a process that has work, with the machine idle. */
export const resources: Schema = object({
  requests: object({ cpu: quantity, memory: quantity }),
  limits: object({ memory: quantity }),
});

const selector: Schema = object({ matchLabels: labels, matchExpressions: list(map) });

/** Peers of a NetworkPolicy. */
export const peers: Schema = list({
  ...object({
    namespaceSelector: selector,
    podSelector: selector,
    ipBlock: object({ cidr: text('/'), except: list(text('/')) }),
  }),
  minProperties: 1,
});
