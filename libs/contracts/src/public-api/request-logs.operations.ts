import { secretKey, type Operation } from './operation.ts';
import { ListRequestLogsQuery, RequestLog, RequestLogList } from './request-logs.ts';

/** Reading the requests that were made. */
export const requestLogOperations = {
  listRequestLogs: {
    id: 'listRequestLogs',
    method: 'GET',
    path: '/v1/request-logs',
    tag: 'Request logs',
    summary: 'List the requests that were made to the API, newest first',
    description:
      'Every request with a secret key or session token of yours in this mode is kept for 30 days, refused ones included; requests for ' +
      'these logs are not. An entry appears within a second. While very many requests arrive at once some are left out. A page may hold ' +
      'fewer items than `limit`, none even, and still not be the last: follow `next_cursor` until it is null.',
    accepts: secretKey,
    query: ListRequestLogsQuery,
    success: { status: 200, body: RequestLogList },
    errors: [],
    isExtension: true,
  },
  getRequestLog: {
    id: 'getRequestLog',
    method: 'GET',
    path: '/v1/request-logs/{id}',
    tag: 'Request logs',
    summary: 'Get a request that was made, with its bodies',
    description:
      'Keys, tokens, webhook secrets, cards, checkout links, and the names and e-mail addresses of payers are replaced before an entry is stored.',
    accepts: secretKey,
    success: { status: 200, body: RequestLog },
    errors: [],
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
