import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clientNetwork } from './client-network.ts';

describe('the network of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1:2', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('the network of %s is %s', (address, network) => expect(clientNetwork(address)).toBe(network));

  it('the network of a client is one for all 2^64 addresses of an IPv6 network, in any spelling', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const hosts = fc.tuple(group, group, group, group);
    fc.assert(
      fc.property(hosts, hosts, hosts, (net, one, other) => {
        const written = (host: number[]) => [...net, ...host].map((g) => g.toString(16)).join(':');
        const padded = [...net, ...other].map((g) => g.toString(16).padStart(4, '0').toUpperCase()).join(':');
        expect(clientNetwork(written(one))).toBe(clientNetwork(padded));
      }),
    );
  });

  it('the network of any header value is some text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof clientNetwork(text)).toBe('string')));
  });
});
