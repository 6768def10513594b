import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { format, resolveConfig } from 'prettier';
import { Document, isMap } from 'yaml';
import { root } from '../processes.ts';
import { FILE } from './compose-file.ts';
import { closed, errands, platform, program, servers, service, tasks, type Container } from './containers.ts';

const HEADING = ` Written by \`npm run generate\` from what the chart and the programs declare; docs/operate.md says how it is used.
 A trial on one machine, with the sandbox in place of the gateways: nothing in it is safe for money.`;

/** Comments of containers, by their names. */
const COMMENTS: Readonly<Record<string, string>> = {
  secrets: ` Makes what is missing of all secrets, a folder for each container, which mounts no other one. A new volume gets the owner
 of the folder of this image that it is mounted over: so NATS may write to its own.`,
  nats: ' Its users are the public keys of all programs, which its configuration takes from the environment.',
  'demo-group': ' docker compose run --rm demo-group',
  'smoke-test': ' docker compose run --rm smoke-test',
  operator: ' docker compose run --rm operator tasks list',
};

/** The compose file, which is the chart's quick start for one machine with Docker. */
export async function generated(): Promise<Generated> {
  const style = await resolveConfig(FILE, { config: join(root, '.configs/prettier.json') });
  return { folder: root, files: { [FILE]: await format(writeFile(), { ...style, parser: 'yaml' }) } };
}

function writeFile(): string {
  const document = new Document();
  const createNode = (value: Container) => document.createNode(value, { aliasDuplicateObjects: false });
  /** A part that others take over: the part, and the key by which they do. */
  const share = (name: string, value: Container) => {
    const node = createNode(value);
    return { [`x-${name}`]: node, merge: { '<<': document.createAlias(node, name) } };
  };
  const { merge: likeClosed, ...closedPart } = share('closed', closed);
  const { merge: likeProgram, ...programPart } = share('program', { ...likeClosed, ...program });
  const { merge: likeService, ...servicePart } = share('service', { ...likeProgram, ...service });
  const below = (like: Container, containers: Readonly<Record<string, Container>>) =>
    Object.fromEntries(Object.entries(containers).map(([name, one]) => [name, { ...like, ...one }]));
  document.commentBefore = HEADING;
  document.contents = createNode({
    name: 'group-payments',
    ...closedPart,
    ...programPart,
    ...servicePart,
    services: {
      ...below(likeProgram, tasks),
      ...below(likeClosed, servers),
      ...below(likeService, platform),
      ...below(likeProgram, errands),
    },
    // No way out of the machine for the servers, nor for what needs nothing else.
    networks: { default: {}, servers: { internal: true } },
    volumes: { postgres: {}, nats: {}, secrets: {} },
  });
  for (const [name, comment] of Object.entries(COMMENTS)) {
    const node = document.getIn(['services', name]);
    if (isMap(node)) node.commentBefore = comment;
  }
  return document.toString({ lineWidth: 0 });
}
