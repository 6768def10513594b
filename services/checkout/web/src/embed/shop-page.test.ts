import { afterEach, describe, expect, it } from '@jest/globals';
import type { ToPage } from '../../widget/src/protocol.ts';
import { connectShopPage, type Session } from './shop-page.ts';

const session = (token: string, groupPaymentId = 'g1'): Session => ({
  type: 'session',
  token,
  groupPaymentId,
  theme: {},
  pageUrl: 'https://shop.example/',
});

const ends: MessagePort[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.close();
});

function open(patienceMs?: number) {
  const { port1, port2 } = new MessageChannel();
  ends.push(port1, port2);
  const received: ToPage[] = [];
  let wake = (): void => undefined;
  port1.onmessage = ({ data }: MessageEvent<ToPage>) => {
    received.push(data);
    wake();
  };
  return {
    shop: port1,
    received,
    receives: (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => received.length >= count && resolve();
        wake();
      }),
    page: connectShopPage(port2, patienceMs),
  };
}

describe('sessions of a merchant’s page', () => {
  it('the first session comes without a request', async () => {
    const { shop, page, received } = open();
    shop.postMessage(session('t1'));
    expect((await page.session()).token).toBe('t1');
    expect(received).toEqual([]);
  });

  it('two requests that were refused at once request one new session', async () => {
    const { shop, page, received, receives } = open();
    shop.postMessage(session('t1'));
    await page.session();
    const both = Promise.all([page.refresh(), page.refresh()]);
    await receives(1);
    shop.postMessage(session('t2'));
    expect((await both).map(({ token }) => token)).toEqual(['t2', 't2']);
    expect((await page.session()).token).toBe('t2');
    expect(received).toEqual([{ type: 'refresh' }]);
  });

  it('a session that the page cannot provide is rejected with the page’s reason, and the next is requested again', async () => {
    const { shop, page, receives } = open();
    shop.postMessage({ type: 'no-session', message: 'the shop is closed' });
    await expect(page.session()).rejects.toThrow('the shop is closed');
    const next = page.refresh();
    await receives(1);
    shop.postMessage(session('t2'));
    expect((await next).token).toBe('t2');
    expect((await page.session()).token).toBe('t2');
  });

  it('a session never changes to another group payment', async () => {
    const { shop, page, receives } = open();
    shop.postMessage(session('t1', 'g1'));
    await page.session();
    const next = page.refresh();
    await receives(1);
    shop.postMessage(session('t2', 'g2'));
    await expect(next).rejects.toThrow('another group payment');
    expect((await page.session()).token).toBe('t1');
  });

  it('a page that does not reply is not waited for without end', async () => {
    const { page } = open(5);
    await expect(page.session()).rejects.toThrow('did not answer');
    await expect(page.refresh()).rejects.toThrow('did not answer');
  });
});
