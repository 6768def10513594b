import type { CodeSample } from '../code-samples/code-samples.ts';
import { isObject, type JsonObject } from '../json.ts';
import { formatLiteral } from '../literal.ts';
import { coloured } from './code.ts';
import { html, type Html } from './html.ts';
import { inline, markdown, toAnchor } from './markdown.ts';
import { field, fields, type Resolve } from './schema.ts';

/** One operation of the document with its place. */
export type Shown = { readonly method: string; readonly path: string; readonly operation: JsonObject };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

/** Renders an operation or webhook: its purpose on one side, its examples on the other. */
export function operationSection({ method, path, operation }: Shown, resolve: Resolve): Html {
  const { operationId, summary, description, responses } = operation;
  const title = text(summary);
  const words = text(description);
  return html`<section class="operation" id="${text(operationId)}">
    <div class="says">
      <h3>${title}</h3>
      <p class="call"><span class="method ${method}">${method}</span> <code>${path}</code></p>
      ${tags(operation)} ${words !== `${title}.` && markdown(words)} ${parameters(operation, resolve)}
      ${requestFields(operation, resolve)} ${responseFields(responses as JsonObject, resolve)}
      ${errors(operation, resolve)}
    </div>
    <div class="shows">
      ${requestExamples({ method, path, operation }, resolve)}
      ${Object.entries(responses as JsonObject)
        .filter(([status]) => status.startsWith('2') || status === '502')
        .map(([status, response]) => examples(status, findJsonContent(response, resolve)))}
    </div>
  </section>`;
}

function tags(operation: JsonObject): Html {
  const kinds = list(operation['security']).flatMap((scheme) => Object.keys(scheme));
  const names: Readonly<Record<string, string>> = { secretKey: 'Secret key', sessionToken: 'Session token' };
  return html`<p class="tags">
    ${kinds.map((kind) => html`<span>${names[kind] ?? kind}</span> `)}
    ${operation['x-extension'] === true && html`<span>Extension</span>`}
  </p>`;
}

function parameters(operation: JsonObject, resolve: Resolve): Html | undefined {
  const all = list(operation['parameters']).map(resolve);
  if (all.length === 0) return undefined;
  const places = ['path', 'query', 'header'].map((place) => {
    const here = all.filter((parameter) => parameter['in'] === place);
    if (here.length === 0) return html``;
    return html`<h4>${place === 'path' ? 'Path' : place === 'query' ? 'Query' : 'Headers'}</h4>
      <ul class="fields">
        ${here.map(({ name, required, description, schema }) =>
          field(
            {
              name: text(name),
              isRequired: required === true,
              schema: schema as JsonObject,
              description: text(description),
            },
            resolve,
          ),
        )}
      </ul>`;
  });
  return html`${places}`;
}

function findJsonContent(part: unknown, resolve: Resolve): JsonObject | undefined {
  if (!isObject(part)) return undefined;
  const { content } = resolve(part);
  const body = isObject(content) ? content['application/json'] : undefined;
  return isObject(body) ? body : undefined;
}

function requestFields({ requestBody }: JsonObject, resolve: Resolve): Html | undefined {
  const body = findJsonContent(requestBody, resolve);
  if (!body) return undefined;
  const optional = (requestBody as JsonObject)['required'] === false && ' (may be left out)';
  return html`<h4>Body${optional}</h4>
    ${fields(body['schema'] as JsonObject, resolve)}`;
}

function responseFields(responses: JsonObject, resolve: Resolve): Html {
  const found = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status));
  return html`${found.map(([status, response]) => {
    const body = findJsonContent(response, resolve);
    return (
      body &&
      html`<details class="answer">
        <summary>Answer ${status}</summary>
        ${fields(body['schema'] as JsonObject, resolve)}
      </details>`
    );
  })}`;
}

/** Renders each status with its codes, which link to their explanation. */
function errors(operation: JsonObject, resolve: Resolve): Html | undefined {
  const { responses, 'x-error-codes': known } = operation;
  const rows = Object.entries(responses as JsonObject)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .map(([status, response]) => {
      const codes = isObject(known) ? ((known[status] ?? []) as readonly string[]) : [];
      const links = codes.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `);
      const words = html`${inline(text(resolve(response as JsonObject)['description']))}`;
      return html`<tr>
        <td>${status}</td>
        <td>${codes.length > 0 ? links : words}</td>
      </tr>`;
    });
  if (rows.length === 0) return undefined;
  return html`<details class="answer">
    <summary>Errors</summary>
    <table>
      ${rows}
    </table>
  </details>`;
}

/** Renders the sample of every language; the style sheet shows the one that the reader chose, curl at first. */
function requestExamples({ method, operation }: Shown, resolve: Resolve): Html | undefined {
  const body = findJsonContent(operation['requestBody'], resolve);
  if (method === 'event') return examples('Body', body);
  const samples = list(operation['x-codeSamples']) as readonly CodeSample[];
  const others = isObject(body?.['examples']) ? Object.values(body['examples']).slice(1) : [];
  return html`<figure>
    <figcaption>Request</figcaption>
    ${samples.map(
      ({ label, source }) =>
        html`<div class="sample ${toAnchor(label)}">
          <pre tabindex="0"><code>${source}</code></pre>
        </div>`,
    )}
    ${others.map((other) => folded(other as JsonObject))}
  </figure>`;
}

function examples(caption: string, body: JsonObject | undefined): Html | undefined {
  const all = Object.values(isObject(body?.['examples']) ? body['examples'] : {}) as JsonObject[];
  if (all.length === 0) return undefined;
  const [only] = all;
  return html`<figure>
    <figcaption>${caption === 'Body' ? caption : `Answer ${caption}`}</figcaption>
    ${
      all.length === 1
        ? html`<pre tabindex="0"><code>${coloured(formatLiteral(only?.['value']))}</code></pre>`
        : all.map(folded)
    }
  </figure>`;
}

const folded = (example: JsonObject, index = 1): Html =>
  html`<details ${index === 0 && 'open'}>
    <summary>${text(example['summary'])}</summary>
    <pre tabindex="0"><code>${coloured(formatLiteral(example['value']))}</code></pre>
  </details>`;
