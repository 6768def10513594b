import { notFound, validationError } from '@gp/errors';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses an id as typed; text that is no id fails like an id that does not exist. */
export function parseUuid(text: string | undefined, noun: string): string {
  if (!UUID.test(text ?? '')) throw notFound(noun);
  return text ?? '';
}

/** Returns the input without its final line break, which the shell added. */
export function parsePassword(input: string): string {
  return input.replace(/\r?\n$/, '');
}

/** Parses the JSON of standard input. The error never repeats the input: it may hold secrets. */
export function parseJson(input: string, field = 'credentials'): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw validationError(field, 'standard input is not valid JSON');
  }
}
