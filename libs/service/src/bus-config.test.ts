import { createIdentity } from '@gp/bus';
import { describe, expect, it } from '@jest/globals';
import { busOptions, listBusFaults, type BusConfig } from './bus-config.ts';

const { seed } = createIdentity();
const config = (change: Partial<BusConfig> = {}): BusConfig => ({
  natsUrl: 'tls://one:4222,tls://two:4222',
  natsNkeySeed: seed,
  natsCaFile: undefined,
  allowPlainNats: false,
  ...change,
});

describe('the settings of the bus', () => {
  it('development admits a server without TLS and a process without an identity', () => {
    expect(listBusFaults(config({ natsUrl: 'nats://one:4222', natsNkeySeed: undefined }), false)).toEqual([]);
  });

  it('production admits neither, not even for one server of several, and reports both (M6)', () => {
    const plain = { natsUrl: 'tls://one:4222,nats://two:4222', natsNkeySeed: undefined };
    expect(listBusFaults(config(plain), true)).toEqual([
      'NATS_URL must name tls:// servers in production',
      'NATS_NKEY_SEED is required in production',
    ]);
    expect(listBusFaults(config({ ...plain, allowPlainNats: true }), true)).toEqual([]);
    expect(listBusFaults(config(), true)).toEqual([]);
  });

  it.each([
    [{ natsNkeySeed: `SU${'A'.repeat(56)}` }, 'NATS_NKEY_SEED must be the seed of a NATS user'],
    [{ natsCaFile: '/does/not/exist' }, 'NATS_CA_FILE cannot be read'],
    [
      { natsUrl: 'nats://one:4222', natsCaFile: process.execPath },
      'NATS_CA_FILE needs tls:// servers in NATS_URL',
    ],
  ])('a wrong setting is named without its value', (change, fault) => {
    expect(listBusFaults(config(change), false)).toEqual([fault]);
    expect(() => busOptions(config(change))).toThrow(fault);
  });

  it('a process without a bus has no faults', () => {
    expect(listBusFaults({ allowPlainNats: false }, true)).toEqual([]);
  });
});
