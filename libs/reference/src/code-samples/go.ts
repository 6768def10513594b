import { formatLiteral } from '../literal.ts';
import { BASE, KEY, type Call } from './call.ts';

const CHECK = `	if err != nil {
		log.Fatal(err)
	}`;

const toExported = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** Writes the request as a program that uses the client for Go of libs/clients. */
export function writeGo(call: Call): string {
  const { ids, body, isStream } = call;
  const imports = [
    ...(isStream ? ['bufio'] : []),
    'context',
    'fmt',
    'log',
    'os',
    ...(body || isStream ? ['strings'] : []),
  ];
  const modules = [
    ...(ids.length > 0 ? ['"github.com/google/uuid"'] : []),
    'gp "github.com/group-payments/client-go"',
  ];
  return `package main

import (
${imports.map((name) => `	"${name}"\n`).join('')}
${modules.map((name) => `	${name}\n`).join('')})

func main() {
	client, err := gp.Open("${BASE}", os.Getenv("${KEY}"))
${CHECK}
${isStream ? writeStream(call) : writeCall(call)}
}`;
}

function writeCall({ id, ids, body, idempotencyKey, hasParameters }: Call): string {
  const name = toExported(id);
  const params = idempotencyKey === undefined ? 'nil' : `&gp.${name}Params{IdempotencyKey: &key}`;
  const given = [
    'context.Background()',
    ...ids.map(({ value }) => `uuid.MustParse("${value}")`),
    ...(hasParameters ? [params] : []),
    ...(body ? ['"application/json"', 'body'] : []),
  ];
  return [
    ...(idempotencyKey === undefined ? [] : [`	key := "${idempotencyKey}"`]),
    ...(body ? [`	body := strings.NewReader(${quote(formatLiteral(body.value))})`] : []),
    `	answer, err := client.${name}${body ? 'WithBody' : ''}WithResponse(`,
    ...given.map((one) => `		${one},`),
    '	)',
    CHECK,
    '	fmt.Println(answer.Status(), string(answer.Body))',
  ].join('\n');
}

/** A raw string has no escape for its own quote. */
const quote = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/**
 * The operations with the answer read it to its end, which a stream does not have. A message of another kind than `message`
 * is no event: the first one says where the stream begins.
 */
const writeStream = ({
  id,
}: Call): string => `	answer, err := client.${toExported(id)}(context.Background(), nil)
${CHECK}
	defer answer.Body.Close()
	kind := "message"
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		line := lines.Text()
		if name, found := strings.CutPrefix(line, "event:"); found {
			kind = strings.TrimSpace(name)
		} else if line == "" {
			kind = "message"
		} else if strings.HasPrefix(line, "data:") && kind == "message" {
			fmt.Println(line)
			break // Leave this out to go on.
		}
	}`;
