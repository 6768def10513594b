import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import Type from '@gp/bundled/typebox';
import { defineSettings, merchantSettings, MERCHANT_SETTINGS, setting } from '../index.ts';

const owner = { merchant_id: 'm1', mode: 'test' } as const;
/** The settings of version 1.0, whose messages and readers stay in use. */
const version1 = defineSettings({ allowed_origins: MERCHANT_SETTINGS.allowed_origins });

describe('the settings of a merchant', () => {
  it('the settings of a merchant are written as version 1.0 wrote its origins', () => {
    const written = version1.encode(owner, { allowed_origins: ['https://shop.example'] }, 3);
    expect(JSON.stringify(written)).toBe(
      '{"merchant_id":"m1","mode":"test","origins":["https://shop.example"],"revision":3}',
    );
    expect(version1.decode(written)).toEqual({ allowed_origins: ['https://shop.example'] });
  });

  it('the settings of a merchant have their initial values until they are set', () => {
    expect(merchantSettings.initial).toEqual({
      allowed_origins: [],
      business_name: '',
      brand_color: '',
      support_email: '',
      support_url: '',
      payer_mails: false,
      organiser_rights: [],
    });
  });
});

describe('a new setting', () => {
  const next = defineSettings({ ...MERCHANT_SETTINGS, one_slot_each: setting(Type.Boolean(), false) });
  const values = {
    allowed_origins: ['https://shop.example'],
    business_name: 'Casa Lola',
    brand_color: '#0b5d3b',
    support_email: 'hello@casalola.example',
    support_url: 'https://casalola.example/help',
    payer_mails: true,
    organiser_rights: ['remind' as const],
    one_slot_each: true,
  };

  it('a new setting is one entry: it travels in the message, is checked there and read back with its type', () => {
    const written = next.encode(owner, values, 4);
    const isValid = new Ajv({ strict: true }).compile(next.payload);
    expect(isValid(written)).toBe(true);
    expect(isValid({ ...written, settings: { one_slot_each: 'yes' } })).toBe(false);
    const read: boolean = next.decode(written).one_slot_each;
    expect(read).toBe(true);
    expect(next.decode(written)).toEqual(values);
  });

  it('a new setting is initial when an older release sent the message, and an older reader leaves it out', () => {
    const old = version1.encode(owner, { allowed_origins: [] }, 5);
    expect(next.decode(old)).toEqual({
      allowed_origins: [],
      business_name: '',
      brand_color: '',
      support_email: '',
      support_url: '',
      payer_mails: false,
      organiser_rights: [],
      one_slot_each: false,
    });
    expect(version1.decode(next.encode(owner, values, 6))).toEqual({
      allowed_origins: values.allowed_origins,
    });
  });
});
