import { describe, expect, it } from '@jest/globals';
import { toAttributes } from './attributes.ts';
import { httpClientSpan, httpServerSpan, messageSpan, rpcSpan, statementSpan } from './conventions.ts';
import type { SpanDescription } from './tracing.ts';

const read = ({ name, kind, attributes }: SpanDescription) => ({
  ...{ name, kind },
  ...toAttributes(typeof attributes === 'function' ? attributes() : attributes),
});

describe('a request that is answered', () => {
  const group = '019ac0de-0000-7000-8000-000000000001';

  it('a request that is answered is named by method and route, and tells its path without what may be a token or a person (Q43)', () => {
    const request = { method: 'POST', route: '/v1/group-payments/:id/pay/:who', host: 'api.example:8080' };
    const path = `/v1/group-payments/${group}/pay/anna@example.com`;
    expect(read(httpServerSpan({ ...request, path, proto: 'https' }))).toEqual({
      name: 'POST /v1/group-payments/:id/pay/:who',
      kind: 'server',
      'http.request.method': 'POST',
      'http.route': request.route,
      'url.path': `/v1/group-payments/${group}/pay/REDACTED`,
      'url.scheme': 'https',
      'server.address': 'api.example',
      'server.port': 8080,
    });
  });

  it('a request without a route is named by its method, and nothing of its path is told', () => {
    const request = { method: 'GET', route: undefined, path: '/tok_1/x', host: 'anna@example.com' };
    expect(read(httpServerSpan({ ...request, proto: 'javascript' }))).toEqual({
      name: 'GET',
      kind: 'server',
      'http.request.method': 'GET',
      'url.path': '/REDACTED/REDACTED',
      'url.scheme': 'http',
    });
  });

  it('a method of a stranger’s choice is none of our names', () => {
    const described = read(httpServerSpan({ method: 'PROPFIND', route: '/a', path: '/a', host: '[::1]:80' }));
    expect(described).toMatchObject({
      name: 'HTTP /a',
      'http.request.method': '_OTHER',
      'server.address': '::1',
    });
  });
});

describe('a request that is sent', () => {
  it('a request that is sent is named by its method, and tells its address without user and query', () => {
    const url = new URL('https://user:pw@gateway.example/payments/pay_1?token=t');
    expect(read(httpClientSpan('GET', url))).toEqual({
      name: 'GET',
      kind: 'client',
      'http.request.method': 'GET',
      'url.full': 'https://gateway.example/payments/pay_1',
      'url.scheme': 'https',
      'server.address': 'gateway.example',
      'server.port': 443,
    });
  });

  it('a request to an address of a merchant does not tell the path', () => {
    const described = httpClientSpan('POST', new URL('http://shop.example/t/s3cr3t'), { isPathSecret: true });
    expect(read(described)).toMatchObject({ 'url.full': 'http://shop.example/REDACTED', 'server.port': 80 });
  });
});

it('a call over the bus has its subject as its method', () => {
  const subject = 'rpc.ledger.slots.reserve.v1';
  expect(read(rpcSpan('client', subject, { address: 'nats', port: 4222 }))).toEqual({
    ...{ name: subject, kind: 'client', 'rpc.system.name': 'nats', 'rpc.method': subject },
    ...{ 'server.address': 'nats', 'server.port': 4222 },
  });
});

it.each([
  ['producer', 'send'],
  ['consumer', 'process'],
] as const)(
  'the span of a %s is named by its operation and the subject without its ids',
  (kind, operation) => {
    const subject = 'evt.ledger.group.created.v1.g1';
    expect(read(messageSpan(kind, { subject, id: 'm1', consumer: 'webhooks' }))).toEqual({
      name: `${operation} evt.ledger.group.created.v1`,
      kind,
      'messaging.system.name': 'nats',
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      'messaging.destination.name': subject,
      'messaging.destination.template': 'evt.ledger.group.created.v1',
      'messaging.message.id': 'm1',
      'messaging.consumer.group.name': 'webhooks',
    });
  },
);

describe('a statement', () => {
  const database = { address: 'db', port: 5432, name: 'payments' };

  it('a statement is named by the name it is declared under', () => {
    const text = 'select * from groups where id = $1';
    expect(read(statementSpan({ name: 'find-group', text }, database))).toEqual({
      name: 'find-group',
      kind: 'client',
      'db.system.name': 'postgresql',
      'db.namespace': 'payments',
      'db.operation.name': 'SELECT',
      'db.query.summary': 'find-group',
      'server.address': 'db',
      'server.port': 5432,
    });
  });

  it.each([
    ['begin', 'BEGIN'],
    ['\n-- a comment\nUPDATE a SET b = 1', 'UPDATE'],
    ['with a as (select 1), b as (insert into c select 1) select 2', 'INSERT'],
    ['with a as (select 1) select 2', 'SELECT'],
  ])('the operation of %j is %s', (text, operation) => {
    const described = read(statementSpan({ name: '', text }, database));
    expect(described).toMatchObject({ name: `${operation} payments`, 'db.operation.name': operation });
    expect(described).not.toHaveProperty(['db.query.summary']);
  });

  it('a failed statement tells the code of Postgres, and no code of the network', () => {
    const { describeFailure } = statementSpan({ name: 'a', text: 'select 1' }, database);
    const failed = (code: string) => describeFailure?.(Object.assign(new Error('x'), { code }));
    expect([failed('23505'), failed('EPIPE')]).toEqual([{ 'db.response.status_code': '23505' }, {}]);
  });
});
