import { connect, nkeyAuthenticator } from '@nats-io/transport-node';

/**
 * `node connect-to-bus.ts`, in the space of the cluster: connects to NATS_URL with NATS_NKEY_SEED, and prints `admitted` or
 * `refused`; ends with an error when the server cannot be asked.
 */
const { NATS_URL = '', NATS_NKEY_SEED = '' } = process.env;
const authenticator = nkeyAuthenticator(new TextEncoder().encode(NATS_NKEY_SEED));
try {
  const connection = await connect({ servers: NATS_URL, authenticator, reconnect: false, timeout: 5_000 });
  process.stdout.write('admitted\n');
  await connection.close();
} catch (error) {
  if (!/authorization/i.test(String(error))) throw error;
  process.stdout.write('refused\n');
}
