import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { blockList, isReachable } from '../src/outbound/address.ts';
import { errorClass } from '../src/outbound/error-class.ts';
import type { Posted } from '../src/outbound/exchange.ts';
import { openPoster, type Poster } from '../src/outbound/post.ts';
import { innerAddresses, proveGuard } from '../src/outbound/prove-guard.ts';
import { AddressBlocked, guardedResolver, UnknownHost, type Lookup } from '../src/outbound/resolve.ts';

const strict = { allowLoopback: false };
const lenient = { allowLoopback: true };
const body = Buffer.from('{}');

let posters: Poster[] = [];
afterEach(async () => {
  await Promise.all(posters.map((poster) => poster.close()));
  posters = [];
});

function poster(allowLoopback: boolean, ask?: Lookup): Poster {
  const policy = { allowLoopback };
  const resolve = guardedResolver(policy, ask);
  const opened = openPoster({
    policy,
    deadlineMs: 30_000,
    connectTimeoutMs: 20_000,
    ...(ask && { resolve }),
  });
  posters.push(opened);
  return opened;
}

const classify = ({ result }: Posted) => ('error' in result ? errorClass(result.error) : result.status);

/** Ways to write addresses that must never be called, the classics of request forgery among them. */
const literals = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fc00::1]',
  '[fd00::]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'metadata.localhost',
];

describe('addresses inside', () => {
  it.each(literals)('the inside address %s is not called, however it is written', async (host) => {
    const posted = await poster(false).post(`https://${host}/`, {}, body);
    expect([classify(posted), posted.remoteAddress]).toEqual(['address_blocked', null]);
  });

  it.each(innerAddresses)('a name that resolves to %s is not called', async (address) => {
    const posted = await poster(false, async () => [{ address, ttl: 1 }]).post(
      'https://a.example/',
      {},
      body,
    );
    expect(classify(posted)).toBe('address_blocked');
  });

  it('a name is refused as a whole when one of its addresses is inside', async () => {
    const mixed = ['93.184.215.14', '10.0.0.1', '2606:4700::1111'].map((address) => ({ address, ttl: 60 }));
    const resolve = guardedResolver(strict, async () => mixed);
    await expect(resolve('a.example')).rejects.toThrow(AddressBlocked);
  });

  it('allowing loopback allows nothing else', async () => {
    expect(innerAddresses.filter((address) => isReachable(address, lenient))).toEqual([]);
    expect([isReachable('127.0.0.1', lenient), isReachable('::1', lenient)]).toEqual([true, true]);
    const posted = await poster(true).post('https://169.254.169.254/', {}, body);
    expect(classify(posted)).toBe('address_blocked');
  });

  it("the socket's own block list agrees with the rule", () => {
    const list = blockList(strict);
    const family = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');
    expect(innerAddresses.filter((address) => !list.check(address, family(address)))).toEqual([]);
    expect(list.check('127.0.0.1', 'ipv4')).toBe(true);
    const outside = ['1.1.1.1', '93.184.215.14', '2606:4700::1111', '2a00:1450:4003:80f::200e'];
    expect(outside.filter((address) => list.check(address, family(address)))).toEqual([]);
    expect(outside.every((address) => isReachable(address, strict))).toBe(true);
  });
});

describe('a name that changes its mind', () => {
  it('a name is resolved again at each attempt, and refused once it points inside', async () => {
    let address = '93.184.215.14';
    const resolve = guardedResolver(strict, async () => [{ address, ttl: 0 }]);
    expect(await resolve('rebind.example')).toEqual(['93.184.215.14']);
    address = '127.0.0.1';
    // The shortest time an answer is kept is a second.
    const outlived = performance.now;
    performance.now = () => outlived.call(performance) + 1_500;
    try {
      await expect(resolve('rebind.example')).rejects.toThrow(AddressBlocked);
    } finally {
      performance.now = outlived;
    }
  });

  it.each(['http', 'https'])('a name cannot lead an %s socket elsewhere after the check', async (scheme) => {
    const trap = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    let reached = 0;
    trap.on('connection', () => (reached += 1));
    const { port } = trap.address() as AddressInfo;
    // A resolver that vets nothing: what is left is the block list and the look at the socket.
    const open = openPoster({
      policy: strict,
      deadlineMs: 30_000,
      connectTimeoutMs: 20_000,
      resolve: async () => ['127.0.0.1'],
    });
    posters.push(open);
    const posted = await open.post(`${scheme}://rebind.example:${port}/`, {}, body);
    trap.close();
    expect([classify(posted), reached]).toEqual(['address_blocked', 0]);
  });

  it('a name is cached for its time to live, a minute at most', async () => {
    let asked = 0;
    const resolve = guardedResolver(strict, async () => {
      asked += 1;
      return [{ address: '93.184.215.14', ttl: 86_400 }];
    });
    await resolve('a.example');
    await resolve('a.example');
    expect(asked).toBe(1);
    const outlived = performance.now;
    performance.now = () => outlived.call(performance) + 61_000;
    try {
      await resolve('a.example');
    } finally {
      performance.now = outlived;
    }
    expect(asked).toBe(2);
  });

  it('a name without an address is an error of its own', async () => {
    await expect(guardedResolver(strict, async () => [])('a.example')).rejects.toThrow(UnknownHost);
  });
});

describe('the proof at start-up', () => {
  it.each([strict, lenient])('the proof at start-up passes when the guard blocks (%j)', async (policy) => {
    await expect(proveGuard(policy)).resolves.toBeUndefined();
  });
});
