import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import Type from '@gp/bundled/typebox';
import { defineSettings, merchantSettings, MERCHANT_SETTINGS, setting } from '../index.ts';

const owner = { merchant_id: 'm1', mode: 'test' } as const;

describe('the settings of a merchant', () => {
  it('the settings of a merchant are written as version 1.0 wrote its origins', () => {
    const values = { allowed_origins: ['https://shop.example'], business_name: 'Casa Lola' };
    const written = merchantSettings.encode(owner, values, 3);
    const { settings, ...first } = written;
    expect(JSON.stringify(first)).toBe(
      '{"merchant_id":"m1","mode":"test","origins":["https://shop.example"],"revision":3}',
    );
    expect(settings).toEqual({ business_name: 'Casa Lola' });
    expect(merchantSettings.decode(written)).toEqual(values);
    expect(merchantSettings.decode(first)).toEqual({ ...values, business_name: '' });
  });

  it('the settings of a merchant have their initial values until they are set', () => {
    expect(merchantSettings.initial).toEqual({ allowed_origins: [], business_name: '' });
  });
});

describe('a new setting', () => {
  const next = defineSettings({ ...MERCHANT_SETTINGS, capture_at_expiry: setting(Type.Boolean(), false) });
  const values = {
    allowed_origins: ['https://shop.example'],
    business_name: 'Casa Lola',
    capture_at_expiry: true,
  };

  it('a new setting is one entry: it travels in the message, is checked there and read back with its type', () => {
    const written = next.encode(owner, values, 4);
    const isValid = new Ajv({ strict: true }).compile(next.payload);
    expect(isValid(written)).toBe(true);
    expect(isValid({ ...written, settings: { capture_at_expiry: 'yes' } })).toBe(false);
    const read: boolean = next.decode(written).capture_at_expiry;
    expect(read).toBe(true);
    expect(next.decode(written)).toEqual(values);
  });

  it('a new setting is initial when an older release sent the message, and an older reader leaves it out', () => {
    const { capture_at_expiry: _newer, ...known } = values;
    const old = merchantSettings.encode(owner, known, 5);
    expect(next.decode(old)).toEqual({ ...known, capture_at_expiry: false });
    expect(merchantSettings.decode(next.encode(owner, values, 6))).toEqual(known);
  });
});
