import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { BROWSER_START_MS, openBrowser, type TestBrowser } from './support.ts';

const pages: Readonly<Record<string, string>> = {
  '/': '<main><h1>Bill</h1><button>Pay</button></main>',
  '/error': '<main><h1>Bill</h1></main><script>console.error("slots are gone")</script>',
  '/throw': '<main><h1>Bill</h1></main><script>throw new Error("no such slot")</script>',
  '/missing': '<main><h1>Bill</h1></main><script src="/gone.js"></script>',
  '/nameless': '<main><h1>Bill</h1><button></button></main>',
  '/framed': '<main><h1>Bill</h1><iframe title="Card" src="/frame"></iframe></main>',
  '/frame': '<main><h1>Card</h1><iframe title="Number" src="/nameless"></iframe></main>',
};

let server: Server;
let browser: TestBrowser;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = pages[request.url ?? ''];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.writeHead(body === undefined ? 404 : 200);
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Bill</title>${body ?? ''}</html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
}, BROWSER_START_MS);

afterEach(() => browser.dismiss());

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a visitor', () => {
  it.each([
    ['phone', 360],
    ['desktop', 1280],
  ] as const)('a visitor sees the page on a %s', async (screen, width) => {
    const visitor = await browser.visit(screen);
    await visitor.page.goto(address);
    expect(await visitor.page.evaluate(() => window.innerWidth)).toBe(width);
    await visitor.expectAccessible();
    expect(visitor.faults()).toEqual([]);
  });

  it.each([
    ['/error', /slots are gone/],
    ['/throw', /no such slot/],
    ['/missing', /404.*gone\.js/],
  ])('a visitor fails a test that visited %s, unless the fault was expected', async (path, fault) => {
    const visitor = await browser.visit('desktop');
    await visitor.page.goto(address + path);
    await eventually(() => visitor.faults().length > 0 || undefined);
    expect(visitor.faults()).toEqual([expect.stringMatching(fault)]);
    await expect(browser.dismiss()).rejects.toThrow(fault);

    const prepared = await browser.visit('desktop');
    prepared.expects(fault);
    await prepared.page.goto(address + path);
    await browser.dismiss();
  });

  it('a visitor reports a request without a response', async () => {
    const visitor = await browser.visit('desktop');
    await visitor.page.route('**/gone.js', (route) => route.abort('connectionrefused'));
    await visitor.page.goto(`${address}/missing`);
    const refused = /gone\.js net::ERR_CONNECTION_REFUSED/;
    await eventually(() => visitor.faults().some((fault) => refused.test(fault)) || undefined);
    visitor.expects(/CONNECTION_REFUSED/);
  });

  it('a visitor reports what is not accessible, and where', async () => {
    const visitor = await browser.visit('desktop');
    await visitor.page.goto(`${address}/nameless`);
    await expect(visitor.expectAccessible()).rejects.toThrow(/button-name[^]*at button/);
  });

  it('a visitor reports what is not accessible in a frame of a frame', async () => {
    const visitor = await browser.visit('desktop');
    await visitor.page.goto(`${address}/framed`);
    await expect(visitor.expectAccessible()).rejects.toThrow(/button-name[^]*at iframe iframe button/);
  });

  it('a visitor who has lost the network gets no response from then on', async () => {
    const visitor = await browser.visit('desktop');
    await visitor.page.goto(address);
    await visitor.loseNetwork();
    const answers = () => visitor.page.evaluate(() => fetch('/').then(String, String));
    expect(await answers()).toMatch(/Failed to fetch/);
  });

  it('a visitor who looks at colours only reports those that cannot be read', async () => {
    const visitor = await browser.visit('desktop');
    await visitor.page.goto(`${address}/nameless`);
    await visitor.expectReadableColours();
    await visitor.page.evaluate(() => (document.body.style.cssText = 'color: #eee; background: #fff'));
    await expect(visitor.expectReadableColours()).rejects.toThrow(/color-contrast/);
  });
});
