import { AppError } from '@gp/errors';
import type { HttpHead, HttpRequest, Route } from '@gp/http';
import { metrics, type Logger } from '@gp/telemetry';
import { CSP_REPORTS, readCspReports } from './csp-report.ts';

const LARGEST_BYTES = 16_384;
/** Lines of one process a minute: enough to see an attack, too few to fill a disk. Further reports are counted. */
const LINES_A_MINUTE = 30;
const MINUTE_MS = 60_000;

const reports = metrics.counter({
  name: 'gp_csp_reports_total',
  help: 'Reports of browsers about what the content security policy of a page refused, by directive',
  unit: 'reports',
  labels: ['directive'],
});

/**
 * Takes browsers' reports about what the policy of a page refused. Anybody can send them, so they are bounded in size,
 * and logged without addresses of pages, which are secrets of their groups.
 */
export function cspReportRoute(log: Logger, now: () => number = Date.now): Route {
  const mayLog = boundLines(now);
  return {
    method: 'POST',
    path: CSP_REPORTS,
    jsonOnly: false,
    admit: async ({ headers }: HttpHead) => assertSmall(Number(headers['content-length'] ?? 0)),
    async handle({ rawBody, requestId }: HttpRequest) {
      assertSmall(rawBody.length);
      for (const { directive, blocked } of readCspReports(rawBody.toString('utf8'))) {
        reports.inc({ directive });
        const line = { request_id: requestId, code: directive, reason: blocked };
        if (mayLog()) log.warn(line, 'a browser refused what the policy of a page does not allow');
      }
      return { status: 204 };
    },
  };
}

function assertSmall(bytes: number): void {
  if (bytes > LARGEST_BYTES) throw new AppError('payload_too_large');
}

function boundLines(now: () => number): () => boolean {
  let left = LINES_A_MINUTE;
  let until = now() + MINUTE_MS;
  return () => {
    if (now() >= until) [left, until] = [LINES_A_MINUTE, now() + MINUTE_MS];
    return left-- > 0;
  };
}
