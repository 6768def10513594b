import Type, { type Static } from '@gp/bundled/typebox';
import { Choice, Cursor, CursorPagination, DateTime, Id, Request, Response } from './fields.ts';

const StatusClass = Choice('StatusClass', ['2xx', '4xx', '5xx']);
const LoggedMethod = Choice('LoggedMethod', ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']);

export const ListRequestLogsQuery = Request('ListRequestLogsQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
  status_class: Type.Optional({ ...StatusClass, description: 'Only those answered with such a status.' }),
  method: Type.Optional({ ...LoggedMethod, description: 'Only those with this method.' }),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Only those of this path, as it was sent or as the operation writes it: `/v1/group-payments/{id}`.',
    }),
  ),
  key_id: Type.Optional(Id('Only those with this secret key, by its id.')),
  request_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only the one with this `Request-Id`.' }),
  ),
  created_after: Type.Optional(DateTime('Only those that arrived at this instant or later.')),
  created_before: Type.Optional(DateTime('Only those that arrived at this instant or earlier.')),
});
export type ListRequestLogsQuery = Static<typeof ListRequestLogsQuery>;

const loggedRequest = {
  id: Id('Id of the entry.'),
  request_id: Type.String({ description: 'The `Request-Id` of the answer.' }),
  created_at: DateTime('When the request arrived, by the wall clock, never a test clock.'),
  method: Type.String({ description: 'The method, as it was sent.' }),
  route: Type.String({ description: 'The path of the operation, with its parameters in braces.' }),
  path: Type.String({ description: 'The path as it was sent.' }),
  query: Type.String({ description: 'The query, without secrets and payers; empty without one.' }),
  status: Type.Integer({ description: 'The HTTP status of the answer.' }),
  error_code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The `code` of the error; null for a success.',
  }),
  duration_ms: Type.Integer({ description: 'How long the answer took, in ms.' }),
  key_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Id of the secret key that was used; null for a session token.',
  }),
  is_test_mode: Type.Boolean({ description: 'Whether the key or token was one of test mode.' }),
};

const body = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });

export const RequestLogListItem = Response('RequestLogListItem', loggedRequest);
export const RequestLog = Response('RequestLog', {
  ...loggedRequest,
  request_body: body(
    'The body of the request, in which secrets, cards and what names payers are replaced; null without one, for one that is no JSON object and for one of more than 16 kB.',
  ),
  response_body: body('The same of the answer.'),
});

export const RequestLogList = Response('RequestLogList', {
  request_logs: Type.Array(RequestLogListItem, { description: 'Newest first.' }),
  pagination: CursorPagination,
});
