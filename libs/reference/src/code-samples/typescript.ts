import { formatLiteral, type Notation } from '../literal.ts';
import { BASE, KEY, type Call } from './call.ts';

const CLIENT = '@group-payments/client';
const LONGEST_LINE = 80;

const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
const notation: Notation = {
  scalar: (value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value)),
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)),
  lastComma: ',',
  indent: '  ',
  list: ['[', ']'],
  object: ['{ ', ' }'],
};

const settings = `{
  baseUrl: '${BASE}',
  key: process.env['${KEY}'] ?? '',
}`;

/** Writes the request as a module that uses the package of libs/client. */
export function writeTypeScript(call: Call): string {
  return call.isStream ? writeStream() : writeCall(call);
}

function writeCall({ id, ids, body, idempotencyKey }: Call): string {
  const call = writeArguments(`const answer = await client.${id}(`, [
    ...ids.map(({ value }) => quote(value)),
    ...(body ? [formatLiteral(body.value, notation)] : []),
    ...(idempotencyKey === undefined ? [] : [formatLiteral({ idempotencyKey }, notation)]),
  ]);
  return `import { openClient } from '${CLIENT}';

const client = openClient(${settings});
${call};
console.log(answer);`;
}

function writeArguments(before: string, all: readonly string[]): string {
  const line = `${before}${all.join(', ')})`;
  const isAlone = all.length < 2 && all.every((one) => one.includes('\n') || line.length <= LONGEST_LINE);
  if (isAlone || (line.length <= LONGEST_LINE && !line.includes('\n'))) return line;
  return `${before}\n${all.map((one) => `  ${one.replaceAll('\n', '\n  ')},\n`).join('')})`;
}

/** The client has no method for it that ends: it follows the stream, over lost connections, until the loop is left. */
function writeStream(): string {
  return `import { followEvents } from '${CLIENT}';

for await (const event of followEvents(${settings})) {
  console.log(event.type, event.id);
  break; // Leave this out to go on.
}`;
}
