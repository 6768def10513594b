import { findAddress } from './cluster.ts';
import { inside } from '../space.ts';
import { root } from '../paths.ts';

/** Opens a connection with the seed, and prints whether the server admits it. */
const KNOCK = `
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
const { SERVERS: servers, SEED } = process.env;
const authenticator = nkeyAuthenticator(new TextEncoder().encode(SEED));
const connection = await connect({ servers, authenticator, reconnect: false, timeout: 5_000 }).catch((error) => {
  if (!/authoriz/i.test(String(error))) throw error;
});
console.log(connection !== undefined);
await connection?.close();
`;

/** Returns whether the NATS server of the release admits the identity of a seed; throws when it cannot be asked. */
export function isAdmitted(seed: string): boolean {
  const env = { ...process.env, SERVERS: `nats://${findAddress('nats')}:4222`, SEED: seed };
  const said = inside(process.execPath, ['--no-warnings', '--input-type=module', '--eval', KNOCK], {
    env,
    cwd: `${root}/test`,
  });
  return said.trim() === 'true';
}
