import { expect, it } from '@jest/globals';
import { publicApi } from '@gp/contracts';
import { errorCollector } from '../src/openapi/errors.ts';
import { shownOperation } from '../src/openapi/operation.ts';
import { schemaCollector } from '../src/openapi/schemas.ts';

it('an operation that will end is marked, and its response is described with both headers (Q17)', () => {
  const { listEvents } = publicApi.operations;
  const schemas = schemaCollector();
  const collectors = { schemas, errors: errorCollector(schemas) };
  const ending = { ...listEvents, deprecated: { since: '2030-01-01', sunset: '2031-01-01' } };
  const described = { headers: { Deprecation: expect.anything(), Sunset: expect.anything() } };
  expect(shownOperation(ending, collectors)).toMatchObject({
    deprecated: true,
    responses: { 200: described },
  });
  expect(shownOperation(listEvents, collectors)).not.toMatchObject({ responses: { 200: described } });
});
