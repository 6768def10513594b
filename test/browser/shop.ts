import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop that uses the sandbox from another origin; what is posted to it comes back. */
export async function openShop(sandbox: string) {
  const pages = new Map<string, string>();
  // Only what the checkout allows a page that uses the sandbox.
  const policy = [
    "default-src 'none'",
    `script-src ${sandbox}`,
    `connect-src ${sandbox}`,
    `frame-src ${sandbox}`,
    `form-action ${sandbox}`,
  ].join('; ');
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' });
      request.pipe(response);
      return;
    }
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const main = pages.get(pathname) ?? `<h1>Shop</h1><div id="card"></div><button>Pay</button>`;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title><main>${main}</main></html>`,
    );
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(main: string): string {
      const path = `/pages/${pages.size}`;
      pages.set(path, main);
      return path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
