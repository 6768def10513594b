import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { blockList, isReachable, type AddressPolicy } from './address.ts';
import { errorClass } from './error-class.ts';
import { openPoster } from './post.ts';

/** One address of every kind that must never be called. */
export const innerAddresses = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00::1',
  'fe80::1',
  'ff02::1',
];

/**
 * Tries the guard against real targets before it is trusted; throws when it does not bite. Layer by layer: the rule,
 * Node's block list at `connect`, and the whole client against a listener that must not be reached.
 */
export async function proveGuard(configured: AddressPolicy): Promise<void> {
  const strict: AddressPolicy = { allowLoopback: false };
  for (const policy of [strict, configured]) {
    const passed = innerAddresses.find((address) => isReachable(address, policy));
    if (passed !== undefined) throw new Error(`the address guard lets ${passed} pass`);
  }
  if (isReachable('127.0.0.1', strict)) throw new Error('the address guard lets loopback pass');
  const trap = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  let reached = 0;
  trap.on('connection', () => (reached += 1));
  await once(trap, 'listening');
  try {
    const { port } = trap.address() as AddressInfo;
    if (!(await isSocketRefused(port))) throw new Error('the block list of the socket does not bite');
    for (const scheme of ['http', 'https']) await assertClientRefuses(`${scheme}://127.0.0.1:${port}/`);
    if (reached > 0) throw new Error('a guarded request reached loopback');
  } finally {
    trap.close();
  }
}

async function isSocketRefused(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, blockList: blockList({ allowLoopback: false }) });
  const isRefused = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false));
    socket.once('error', (error) => resolve('code' in error && error.code === 'ERR_IP_BLOCKED'));
  });
  socket.destroy();
  return isRefused;
}

/** Once as it is, once with a resolver that lets everything pass, so that the socket has to refuse. */
async function assertClientRefuses(url: string): Promise<void> {
  // Far longer than a refusal takes: a machine that stands still for a moment must not be taken for a guard that fails.
  const limits = { policy: { allowLoopback: false }, deadlineMs: 60_000, connectTimeoutMs: 30_000 };
  const careless = () => Promise.resolve(['127.0.0.1']);
  for (const poster of [openPoster(limits), openPoster({ ...limits, resolve: careless })]) {
    const { result } = await poster.post(url, {}, Buffer.from('{}'));
    await poster.close();
    const refused = 'error' in result && errorClass(result.error) === 'address_blocked';
    if (!refused) throw new Error('the client does not refuse a forbidden address');
  }
}
