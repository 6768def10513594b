import { afterEach, describe, expect, it } from '@jest/globals';
import type { ToPage } from '../../widget/src/protocol.ts';
import { shopPageAt, type Session } from './shop-page.ts';

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
  const heard: ToPage[] = [];
  let wake = (): void => undefined;
  port1.onmessage = ({ data }: MessageEvent<ToPage>) => {
    heard.push(data);
    wake();
  };
  return {
    shop: port1,
    heard,
    hears: (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => heard.length >= count && resolve();
        wake();
      }),
    page: shopPageAt(port2, patienceMs),
  };
}

describe('sessions of a merchant’s page', () => {
  it('the first comes without being asked for', async () => {
    const { shop, page, heard } = open();
    shop.postMessage(session('t1'));
    expect((await page.session()).token).toBe('t1');
    expect(heard).toEqual([]);
  });

  it('two requests that were refused at once ask for one new session', async () => {
    const { shop, page, heard, hears } = open();
    shop.postMessage(session('t1'));
    await page.session();
    const both = Promise.all([page.refresh(), page.refresh()]);
    await hears(1);
    shop.postMessage(session('t2'));
    expect((await both).map(({ token }) => token)).toEqual(['t2', 't2']);
    expect((await page.session()).token).toBe('t2');
    expect(heard).toEqual([{ type: 'refresh' }]);
  });

  it('one that cannot be had is told with the page’s reason, and the next is asked for anew', async () => {
    const { shop, page, hears } = open();
    shop.postMessage({ type: 'no-session', message: 'the shop is closed' });
    await expect(page.session()).rejects.toThrow('the shop is closed');
    const next = page.refresh();
    await hears(1);
    shop.postMessage(session('t2'));
    expect((await next).token).toBe('t2');
    expect((await page.session()).token).toBe('t2');
  });

  it('never changes to another group payment', async () => {
    const { shop, page, hears } = open();
    shop.postMessage(session('t1', 'g1'));
    await page.session();
    const next = page.refresh();
    await hears(1);
    shop.postMessage(session('t2', 'g2'));
    await expect(next).rejects.toThrow('another group payment');
    expect((await page.session()).token).toBe('t1');
  });

  it('a page that does not answer is not waited for without end', async () => {
    const { page } = open(5);
    await expect(page.session()).rejects.toThrow('did not answer');
    await expect(page.refresh()).rejects.toThrow('did not answer');
  });
});
