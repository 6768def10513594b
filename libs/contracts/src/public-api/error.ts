import Type, { type Static } from '@gp/bundled/typebox';
import { Id, Response } from './fields.ts';

/** One fault of a request; the one form of every entry of `details`. */
export const ErrorDetail = Response('ErrorDetail', {
  param: Type.String({ description: 'The field at fault.' }),
  reason: Type.String({ description: 'What is wrong with it, for a person.' }),
  slot_id: Type.Optional(Id('The slot that the refusal is about, where it is about one.')),
});
export type ErrorDetail = Static<typeof ErrorDetail>;

export const ErrorResponse = Response('ErrorResponse', {
  error: Type.String({ description: 'Short text of the status, such as Bad Request.' }),
  message: Type.String({ description: 'What is wrong, for a person.' }),
  version: Type.String({ description: 'Version of the API.' }),
  code: Type.String({ description: 'What is wrong, for a program.' }),
  request_id: Type.String({ description: 'Name of the request, for support.' }),
  param: Type.Optional(Type.String({ description: 'The field at fault.' })),
  details: Type.Optional(
    Type.Array(ErrorDetail, { description: 'Every fault of the request, or every slot it is refused for.' }),
  ),
  hint: Type.Optional(
    Type.String({
      description: 'A likely cause or a remedy that the message does not name, for a person.',
    }),
  ),
  doc_url: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Where the reference explains the code.',
    }),
  ),
});
