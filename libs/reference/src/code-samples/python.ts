import { formatLiteral, type Notation } from '../literal.ts';
import { BASE, KEY, splitName, type Call } from './call.ts';

const words: ReadonlyMap<unknown, string> = new Map([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);
const notation: Notation = {
  scalar: (value) => words.get(value) ?? JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  lastComma: ',',
  indent: '    ',
  list: ['[', ']'],
  object: ['{', '}'],
};

const client = `client = AuthenticatedClient(
    base_url="${BASE}",
    token=os.environ["${KEY}"],
)`;

/** Writes the request as a program that uses the client for Python of libs/clients. */
export function writePython(call: Call): string {
  return call.isStream ? writeStream(call) : writeCall(call);
}

function writeCall({ id, tag, ids, body, idempotencyKey }: Call): string {
  const operation = splitName(id, '_');
  const given = [
    ...ids.map(({ value }) => `UUID("${value}")`),
    'client=client',
    ...(body ? ['body=body'] : []),
    ...(idempotencyKey === undefined ? [] : [`idempotency_key="${idempotencyKey}"`]),
  ];
  return [
    'import os',
    ...(ids.length > 0 ? ['from uuid import UUID'] : []),
    '',
    'from group_payments import AuthenticatedClient',
    `from group_payments.api.${tag.toLowerCase().replaceAll(' ', '_')} import ${operation}`,
    ...(body ? [`from group_payments.models import ${body.type}`] : []),
    '',
    client,
    ...(body ? [`body = ${body.type}.from_dict(${formatLiteral(body.value, notation)})`] : []),
    given.length === 1
      ? `answer = ${operation}.sync(client=client)`
      : `answer = ${operation}.sync(\n${given.map((one) => `    ${one},\n`).join('')})`,
    'print(answer)',
  ].join('\n');
}

/**
 * The operations of the client read an answer to its end, which a stream does not have. A message of another kind than
 * `message` is no event: the first one says where the stream begins.
 */
function writeStream({ method, path }: Call): string {
  return `import os

from group_payments import AuthenticatedClient

${client}
with client.get_httpx_client().stream("${method}", "${path}", timeout=None) as stream:
    stream.raise_for_status()
    kind = "message"
    for line in stream.iter_lines():
        if line.startswith("event:"):
            kind = line.removeprefix("event:").strip()
        elif line == "":
            kind = "message"
        elif line.startswith("data:") and kind == "message":
            print(line)
            break  # Leave this out to go on.`;
}
