import { notFound, validationError } from '@gp/errors';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id as it was typed; what is no id names nothing that exists. */
export function uuidFrom(text: string | undefined, noun: string): string {
  if (!UUID.test(text ?? '')) throw notFound(noun);
  return text ?? '';
}

/** Everything but the end of the line, which the shell put there. */
export function passwordFrom(input: string): string {
  return input.replace(/\r?\n$/, '');
}

/** The JSON of standard input. The error never repeats it: it may hold secrets. */
export function jsonFrom(input: string, field = 'credentials'): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw validationError(field, 'standard input is not valid JSON');
  }
}
