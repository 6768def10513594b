import Type from '@gp/bundled/typebox';
import { Response } from './fields.ts';

export const ErrorResponse = Response('ErrorResponse', {
  error: Type.String({ description: 'Short text of the status, such as Bad Request.' }),
  message: Type.String({ description: 'What is wrong, for a person.' }),
  version: Type.String({ description: 'Version of the API.' }),
  code: Type.String({ description: 'What is wrong, for a program.' }),
  request_id: Type.String({ description: 'Name of the request, for support.' }),
  param: Type.Optional(Type.String({ description: 'The field at fault.' })),
  details: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'Every fault, where there are several.' }),
  ),
  hint: Type.Optional(
    Type.String({
      description: 'A likely cause that the message does not name, for a person.',
    }),
  ),
  doc_url: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Where the reference explains the code.',
    }),
  ),
});
