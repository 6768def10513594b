import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpApp, listen } from '@gp/http';
import type { LogFields, Logger } from '@gp/telemetry';
import { CSP_REPORTS, cspReportRoute } from './index.ts';

const page = 'https://pay.example/c/a-secret-of-the-group';
const legacy = (report: object) => JSON.stringify({ 'csp-report': { 'document-uri': page, ...report } });
const modern = (...bodies: object[]) =>
  JSON.stringify(bodies.map((body) => ({ type: 'csp-violation', url: page, body })));

let lines: LogFields[];
let nowMs: number;
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  lines = [];
  nowMs = 0;
  const log = { warn: (fields: LogFields) => void lines.push(fields) } as unknown as Logger;
  const app = createHttpApp({ routes: [cspReportRoute(log, () => nowMs)] });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close(1_000));

async function report(body: string, type = 'application/csp-report'): Promise<number> {
  const url = `http://127.0.0.1:${server.port}${CSP_REPORTS}`;
  const headers = { 'content-type': type, connection: 'close' };
  const answer = await fetch(url, { method: 'POST', body, headers });
  await answer.text();
  return answer.status;
}
const seen = () => lines.map(({ code, reason }) => [code, reason]);

describe('a report of a browser', () => {
  it('a report is logged in both forms, with the directive and the origin of what was refused (Y6)', async () => {
    const evil = 'https://evil.example/skim.js?x=1';
    expect(await report(legacy({ 'violated-directive': 'script-src https:', 'blocked-uri': evil }))).toBe(
      204,
    );
    const both = modern(
      { effectiveDirective: 'connect-src', blockedURL: 'wss://evil.example/' },
      { effectiveDirective: 'style-src-elem', blockedURL: 'inline' },
    );
    expect(await report(both, 'application/reports+json')).toBe(204);
    expect(seen()).toEqual([
      ['script-src', 'https://evil.example'],
      ['connect-src', 'wss://evil.example'],
      ['style-src-elem', 'inline'],
    ]);
  });

  it('a report leaves no address of a page in the log: it is a secret of its group (Y6)', async () => {
    await report(legacy({ 'violated-directive': 'img-src', 'blocked-uri': page, 'source-file': page }));
    expect(JSON.stringify(lines)).not.toContain('a-secret-of-the-group');
  });

  it('a report’s line names no directive and no kind that a stranger invented (Y6)', async () => {
    await report(modern({ effectiveDirective: 'made-up', blockedURL: 'made up' }, { blockedURL: 7 }));
    expect(seen()).toEqual([
      ['other', 'unknown'],
      ['other', 'unknown'],
    ]);
  });

  it('a report is logged thirty times a minute at most, and again in the next minute (Y6)', async () => {
    const many = modern(...Array.from({ length: 20 }, () => ({ effectiveDirective: 'img-src' })));
    for (let sent = 0; sent < 3; sent += 1) expect(await report(many)).toBe(204);
    expect(lines).toHaveLength(30);
    nowMs = 60_000;
    await report(many);
    expect(lines).toHaveLength(50);
  });

  it('a report of more than twenty entries counts for twenty, and one of more than 16 kB gets a 413 (Y6)', async () => {
    const bodies = Array.from({ length: 25 }, () => ({ effectiveDirective: 'img-src' }));
    expect(await report(modern(...bodies))).toBe(204);
    expect(lines).toHaveLength(20);
    expect(await report(legacy({ 'blocked-uri': 'x'.repeat(17_000) }))).toBe(413);
  });

  it.each(['', 'no JSON', '7', 'null', '{}', '{"csp-report":7}', '"x"'])(
    '%j is none, and gets a 400 (Y6)',
    async (body) => {
      expect(await report(body)).toBe(400);
      expect(lines).toEqual([]);
    },
  );

  it.each(['[]', '[7]', '[{"type":"deprecation","body":{}}]', '[{"type":"csp-violation"}]'])(
    '%j reports nothing (Y6)',
    async (body) => {
      expect(await report(body, 'application/reports+json')).toBe(204);
      expect(lines).toEqual([]);
    },
  );
});
