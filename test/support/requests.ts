import { expect } from '@jest/globals';
import { send, type Answer, type Json } from './api.ts';

/** The public API one request at a time, answers as they come: for tests of the answers themselves. */
export function openRequests(base: string, key?: string) {
  const auth = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const call =
    (method: string) =>
    (path: string, body?: unknown, headers: Json = {}): Promise<Answer> =>
      send(method, `${base}${path}`, body, { ...auth, ...headers });
  return {
    get: call('GET'),
    post: call('POST'),
    patch: call('PATCH'),
    put: call('PUT'),
    delete: call('DELETE'),
  };
}
export type Requests = ReturnType<typeof openRequests>;

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
};

/** Expects an error in the documented shape, with the request id that the header has too. */
export function expectError(answer: Answer, status: number, code: string, message?: string): void {
  const { body } = answer;
  expect({ status: answer.status, code: body['code'] }).toEqual({ status, code });
  expect(body).toEqual(
    expect.objectContaining({
      error: STATUS_TEXTS[status],
      message: message ?? expect.any(String),
      version: '1.0.0',
      request_id: answer.headers.get('request-id'),
    }),
  );
  const known = ['error', 'message', 'version', 'code', 'request_id', 'param', 'details', 'hint', 'doc_url'];
  expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
  expect(body['request_id']).toMatch(/^req_/);
}
