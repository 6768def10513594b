import { isList, isPairs, type Operation, type Parameter } from './operation.ts';

/** A request as the reader filled it in. */
export type FilledIn = {
  readonly key: string;
  /** What stands in the field of a parameter. */
  readonly values: ReadonlyMap<Parameter, string>;
  /** As it stands in its field: what is no JSON is sent, too, and the API says what is wrong. */
  readonly body: string | undefined;
};

/** Returns the address of a request, below `base`, which ends with a slash. */
export function buildAddress(operation: Operation, { values }: FilledIn, base: string): URL {
  const path = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (filled, parameter) =>
        filled.replace(`{${parameter.name}}`, () => encodeURIComponent(values.get(parameter) ?? '')),
      operation.path,
    );
  const address = new URL(path.replace(/^\//, ''), base);
  for (const parameter of operation.parameters.filter((each) => each.in === 'query'))
    for (const [name, value] of listPairs(parameter, values.get(parameter) ?? ''))
      address.searchParams.append(name, value);
  return address;
}

function listPairs(parameter: Parameter, text: string): [string, string][] {
  const { name } = parameter;
  if (text === '') return [];
  if (isList(parameter)) return text.split(',').map((part) => [name, part.trim()]);
  if (!isPairs(parameter)) return [[name, text]];
  return text.split('&').map((pair) => {
    const [key = '', ...value] = pair.split('=');
    return [`${name}[${key.trim()}]`, value.join('=').trim()];
  });
}

/** Returns the headers of a request. */
export function buildHeaders(operation: Operation, { key, values, body }: FilledIn): [string, string][] {
  const given = operation.parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter): [string, string] => [parameter.name, values.get(parameter) ?? ''])
    .filter(([, value]) => value !== '');
  return [
    ['Authorization', `Bearer ${key}`],
    ...given,
    ...(hasBody(body) ? [['Content-Type', 'application/json'] as [string, string]] : []),
  ];
}

export const hasBody = (body: string | undefined): body is string => (body ?? '').trim() !== '';
