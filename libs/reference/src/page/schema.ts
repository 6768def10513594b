import { isObject, type JsonObject } from '../json.ts';
import { html, type Html } from './html.ts';
import { inline } from './markdown.ts';

/** Finds the target of a `$ref` of the document; what stands beside the `$ref` counts more. */
export type Resolve = (schema: JsonObject) => JsonObject;

export function resolver(document: JsonObject): Resolve {
  const resolve = (schema: JsonObject): JsonObject => {
    const { $ref, ...own } = schema;
    if (typeof $ref !== 'string') return schema;
    let found: unknown = document;
    for (const part of $ref.split('/').slice(1)) found = isObject(found) ? found[part] : undefined;
    if (!isObject(found)) throw new Error(`${$ref} leads nowhere`);
    return { ...resolve(found), ...own };
  };
  return resolve;
}

/** Renders the fields of an object, those of its parts folded below them. */
export function fields(schema: JsonObject, resolve: Resolve): Html {
  const { properties, required = [], oneOf } = resolve(schema);
  if (Array.isArray(oneOf)) return branches(oneOf as readonly JsonObject[], resolve);
  const needed = required as readonly string[];
  return html`<ul class="fields">
    ${Object.entries((properties ?? {}) as Record<string, JsonObject>).map(([name, part]) =>
      field({ name, isRequired: needed.includes(name), schema: part }, resolve),
    )}
  </ul>`;
}

/** Renders one field or parameter: its name, type, rules and meaning. */
export function field(
  {
    name,
    isRequired,
    schema,
    description,
  }: { name: string; isRequired: boolean; schema: JsonObject; description?: string },
  resolve: Resolve,
): Html {
  const full = resolve(schema);
  const inner = innerObject(full, resolve);
  const text = description ?? (typeof full['description'] === 'string' ? full['description'] : '');
  return html`<li>
    <p class="field">
      <code>${name}</code> <i>${typeText(full, resolve)}</i>
      ${isRequired && html`<em>required</em>`}
    </p>
    ${text !== '' && html`<p>${inline(text)}</p>`}
    ${rulesText(full) !== '' && html`<p class="rules">${rulesText(full)}</p>`} ${choices(full)}
    ${
      inner &&
      html`<details>
        <summary>Fields</summary>
        ${fields(inner, resolve)}
      </details>`
    }
  </li>`;
}

function branches(oneOf: readonly JsonObject[], resolve: Resolve): Html {
  return html`${oneOf.map((branch) => {
    const full = resolve(branch);
    return html`<p class="branch">${typeof full['title'] === 'string' ? full['title'] : 'One of'}</p>
      ${fields(full, resolve)}`;
  })}`;
}

function innerObject(schema: JsonObject, resolve: Resolve): JsonObject | undefined {
  const whole = isObject(schema['items']) ? resolve(schema['items']) : schema;
  return whole['properties'] !== undefined || whole['oneOf'] !== undefined ? whole : undefined;
}

function typeText(schema: JsonObject, resolve: Resolve): string {
  const { type, format, items, const: only } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (isObject(items)) return `list of ${typeText(resolve(items), resolve)}`;
  if (type === undefined) return schema['oneOf'] === undefined ? 'any value' : 'object';
  const shown = typeof format === 'string' && format !== 'double' ? format : undefined;
  return [type]
    .flat()
    .map((name) => (name === 'null' ? 'null' : (shown ?? (name as string))))
    .join(' or ');
}

function choices({ enum: values, items }: JsonObject): Html | undefined {
  const all = values ?? (isObject(items) ? items['enum'] : undefined);
  if (!Array.isArray(all)) return undefined;
  return html`<p class="choices">${all.map((value) => html`<code>${String(value)}</code> `)}</p>`;
}

/** Returns the limits of a schema, in words. */
function rulesText(schema: JsonObject): string {
  const number = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? schema[key] : undefined;
  const range = (low: string, high: string, noun: string): string | undefined => {
    const [least, most] = [number(low), number(high)];
    const tail = noun === '' ? '' : ` ${noun}`;
    if (least !== undefined && least === most) return `exactly ${least}${tail}`;
    if (least !== undefined && most !== undefined && most < Number.MAX_SAFE_INTEGER)
      return `${least} to ${most}${tail}`;
    if (least !== undefined) return `at least ${least}${tail}`;
    return most === undefined ? undefined : `at most ${most}${tail}`;
  };
  const usual = schema['default'];
  return [
    range('minimum', 'maximum', ''),
    range('minLength', 'maxLength', 'characters'),
    range('minItems', 'maxItems', 'items'),
    range('minProperties', 'maxProperties', 'fields'),
    typeof schema['pattern'] === 'string' ? `matches ${schema['pattern']}` : undefined,
    schema['uniqueItems'] === true ? 'no repetitions' : undefined,
    usual === undefined ? undefined : `${JSON.stringify(usual)} unless told`,
  ]
    .filter((rule) => rule !== undefined)
    .join(' · ');
}
