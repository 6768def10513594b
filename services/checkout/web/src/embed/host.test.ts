import { describe, expect, it } from '@jest/globals';
import type { Bootstrap } from '../bootstrap.ts';
import type { ToPage } from '../../widget/src/protocol.ts';
import { shopHost } from './host.ts';
import type { Session } from './shop-page.ts';

const session = (token: string): Session => ({
  type: 'session',
  token,
  groupPaymentId: 'g1',
  theme: {},
  pageUrl: 'https://shop.example/bookings/1',
});

function host(bank: string | null) {
  const sent: ToPage[] = [];
  let refreshes = 0;
  const page = {
    session: () => Promise.resolve(session('t0')),
    refresh: () => Promise.resolve(session(`t${++refreshes}`)),
    send: (message: ToPage) => void sent.push(message),
  };
  const gateway = bank === null ? null : { psp_code: 'gateway_c', bank };
  return { sent, host: shopHost(page, session('t0'), { gateway } as Bootstrap) };
}

describe('the merchant’s page as host of the form', () => {
  it('the merchant’s page is asked for a new token only when the one of now was refused', async () => {
    const { host: shop } = host(null);
    expect(await shop.refreshToken('t0')).toBe('t1');
    expect(await shop.refreshToken('t0')).toBe('t1');
    expect(shop.token()).toBe('t1');
  });

  it('a payer of 3-D Secure returns to the merchant’s page, or to its origin when its address is too long for the API (Q51)', () => {
    const { host: shop } = host(null);
    expect(shop.returnUrl('p1')).toBe('https://shop.example/bookings/1');
    const pageUrl = `https://shop.example/${'x'.repeat(2_000)}`;
    const long = shopHost({} as never, { ...session('t0'), pageUrl }, { gateway: null } as Bootstrap);
    expect(long.returnUrl('p1')).toBe('https://shop.example');
  });

  it.each([
    ['of another origin', 'https://bank.example', 'https://evil.example/pay'],
    ['while the active gateway is no bank', null, 'https://bank.example/pay'],
  ])('the merchant’s page gets no form %s', async (_, bank, url) => {
    const { host: shop, sent } = host(bank);
    await expect(shop.navigateTop({ url, fields: {} }, { paymentIntentId: 'p1' })).rejects.toThrow(
      'not the bank',
    );
    expect(sent).toEqual([]);
  });

  it('the merchant’s page gets the bank’s form even when the return address cannot be kept', async () => {
    const { host: shop, sent } = host('https://bank.example');
    const form = { url: 'https://bank.example/pay', fields: { order: '1' } };
    // Outside of a browser the server's address cannot be reached.
    await shop.navigateTop(form, { paymentIntentId: 'p1' });
    expect(sent).toEqual([{ type: 'bank', form }]);
  });
});
