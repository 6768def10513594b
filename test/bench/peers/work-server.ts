import { createServer } from 'node:http';

/** The work of one round: so many jobs, done when all of them are. What it returns is the answer. */
export type Work = (count: number) => Promise<unknown>;

/** Serves a peer's works: `POST /<name>?count=…` answers when so many jobs are done, with what the work returns as JSON. */
export function serveWorks(works: Readonly<Record<string, Work>>): void {
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer');
    const work = works[pathname.slice(1)];
    const done = work ? work(Number(searchParams.get('count'))) : Promise.reject(new Error('unknown work'));
    done.then(
      (result) => response.end(JSON.stringify(result ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));
}
