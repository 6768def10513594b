import { formatLiteral } from '../literal.ts';
import { BASE, fillPath, KEY, type Call } from './call.ts';

/** Quotes a text for a POSIX shell, which has no escape within single quotes. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Writes the request as a command of a shell. */
export function writeCurl(call: Call): string {
  const { method, body, idempotencyKey, isStream } = call;
  const flags = `${isStream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`}`;
  return [
    `curl${flags} "${BASE}${fillPath(call)}"`,
    `-H "Authorization: Bearer $${KEY}"`,
    ...(idempotencyKey === undefined ? [] : [`-H "Idempotency-Key: ${idempotencyKey}"`]),
    ...(body
      ? ['-H "Content-Type: application/json"', `-d ${quoteForShell(formatLiteral(body.value))}`]
      : []),
  ].join(' \\\n  ');
}
