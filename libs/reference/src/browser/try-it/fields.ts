import { make } from './elements.ts';
import { isList, isPairs, type Example, type Operation, type Parameter } from './operation.ts';

const IDEMPOTENCY_KEY = 'Idempotency-Key';

type Field = { readonly parameter: Parameter; readonly input: HTMLInputElement | HTMLSelectElement };

/** The fields of one form. */
export type Fields = {
  readonly elements: readonly HTMLElement[];
  readValues(): ReadonlyMap<Parameter, string>;
  readBody(): string | undefined;
  /** Puts a new Idempotency-Key in the place of one that the reader has not typed. */
  renewKey(): void;
};

/** Makes the fields of an operation; `fillIn` puts ids that are known in the place of those of the examples. */
export function openFields(operation: Operation, fillIn: FillIn): Fields {
  const fields = operation.parameters.map((parameter) => openField(operation, parameter, fillIn));
  const key = fields.find(({ parameter }) => parameter.name === IDEMPOTENCY_KEY)?.input;
  let made = '';
  const renewKey = (): void => {
    if (!key || key.value !== made) return;
    key.value = made = makeKey();
  };
  renewKey();
  const body = operation.body && openBody(operation, operation.body, fillIn);
  const groups = (['path', 'query', 'header'] as const).map((place) =>
    groupFields(
      place,
      fields.filter(({ parameter }) => parameter.in === place),
    ),
  );
  return {
    elements: [...groups, body?.element].filter((element) => element !== undefined),
    readValues: () => new Map(fields.map(({ parameter, input }) => [parameter, input.value.trim()])),
    readBody: () => body?.area.value,
    renewKey,
  };
}

export type FillIn = {
  /** Calls back when more ids are known. */
  readonly follow: (follow: () => void) => void;
  readonly pathId: (operation: Operation, parameter: string) => string | undefined;
  readonly body: (text: string) => string;
};

const toId = (operation: Operation, name: string): string => `try-${operation.id}-${name}`;

function openField(operation: Operation, parameter: Parameter, fillIn: FillIn): Field {
  const { name, schema, example, required } = parameter;
  const id = toId(operation, name);
  const shared = {
    id,
    name,
    'aria-describedby': `${id}-text`,
    required: parameter.in === 'path' || required,
  };
  if (schema.enum && !isList(parameter)) {
    const options = ['', ...schema.enum.map(String)].map((value) => make('option', { value }, value || '–'));
    return { parameter, input: make('select', shared, ...options) };
  }
  const input = make('input', {
    ...shared,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: writePlaceholder(parameter),
  });
  if (parameter.in === 'path')
    keepFilled(input, () => fillIn.pathId(operation, name) ?? example ?? '', fillIn);
  return { parameter, input };
}

/** Fills a field in, and again when more ids are known, but for what the reader has typed. */
function keepFilled(field: HTMLInputElement | HTMLTextAreaElement, write: () => string, { follow }: FillIn) {
  let filled = field.value;
  const fill = (isAsked = false): void => {
    if (isAsked || field.value === filled) field.value = filled = write();
  };
  fill();
  follow(() => fill());
  return fill;
}

function writePlaceholder(parameter: Parameter): string | undefined {
  const { schema } = parameter;
  if (isPairs(parameter)) return 'table=7';
  if (isList(parameter)) return (schema.items?.enum ?? []).map(String).join(', ') || undefined;
  return schema.default === undefined ? undefined : JSON.stringify(schema.default);
}

/** A key of its own for every sending. It needs no secure context, which `randomUUID` would. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `try-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function groupFields(place: Parameter['in'], fields: readonly Field[]): HTMLElement | undefined {
  if (fields.length === 0) return undefined;
  const rows = fields.map(({ parameter, input }) => row(parameter, input));
  const title = { path: 'Path', query: 'Query', header: 'Headers' }[place];
  if (place === 'query')
    return make('details', {}, make('summary', {}, `${title} (${fields.length})`), ...rows);
  return make('fieldset', {}, make('legend', {}, title), ...rows);
}

function row({ name, description = '' }: Parameter, input: HTMLElement): HTMLElement {
  const text =
    name === IDEMPOTENCY_KEY ? 'A new one for every sending, unless you type your own.' : description;
  return make(
    'div',
    { class: 'try-row' },
    make('label', { for: input.id }, make('code', {}, name)),
    input,
    make('p', { id: `${input.id}-text` }, text.replaceAll('`', '')),
  );
}

function openBody(operation: Operation, body: NonNullable<Operation['body']>, fillIn: FillIn) {
  const id = toId(operation, 'body');
  const area = make('textarea', {
    id,
    rows: '10',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  let [chosen] = body.examples;
  const write = (): string => (chosen ? fillIn.body(JSON.stringify(chosen.value, null, 2)) : '');
  const fill = keepFilled(area, write, fillIn);
  area.rows = Math.min(16, area.value.split('\n').length + 1);
  const choose = (example: Example): void => {
    chosen = example;
    fill(true);
  };
  const choice = body.examples.length > 1 ? openChoice(operation, body.examples, choose) : [];
  const label = make('label', { for: id }, body.isRequired ? 'Body (JSON)' : 'Body (JSON, may be left out)');
  return { area, element: make('div', {}, ...choice, make('div', { class: 'try-row' }, label, area)) };
}

function openChoice(
  operation: Operation,
  examples: readonly Example[],
  choose: (example: Example) => void,
): HTMLElement[] {
  const id = toId(operation, 'example');
  const options = examples.map(({ summary }, index) => make('option', { value: String(index) }, summary));
  const select = make('select', { id }, ...options);
  select.addEventListener('change', () => {
    const chosen = examples[Number(select.value)];
    if (chosen) choose(chosen);
  });
  return [make('div', { class: 'try-row' }, make('label', { for: id }, 'Example'), select)];
}
