import { expect, it } from '@jest/globals';
import { parseLookUp } from './look-up.ts';

it.each([
  ['req_0123456789abcdef01234567', '', 'req_0123456789abcdef01234567'],
  [' req_1\n', '', 'req_1'],
  ['/v1/group-payments', '/v1/group-payments', ''],
  ['/v1/group-payments/{id}', '/v1/group-payments/{id}', ''],
  ['v1/events?limit=5', '/v1/events', ''],
  ['https://api.example/v1/events?limit=5', '/v1/events', ''],
  ['  ', '', ''],
])('the text %j looks up the path %j or the request id %j', (text, path, request_id) => {
  expect(parseLookUp(text)).toEqual({ path, request_id });
});
