/** Requests that break the rules of HTTP itself: sent as bytes, since no client would. `{host}` is where they go. */
export type RawFault = {
  readonly what: string;
  readonly bytes: string;
  /** Statuses that the first answer may have; a connection that is closed without an answer counts as 0. */
  readonly answers: readonly number[];
};

const get = (...lines: string[]) =>
  `GET {path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const post = (lines: string[], body: string) =>
  `POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
const host = 'Host: {host}';
const REFUSED = [400, 401, 404, 405];

/** The corpus; every one goes to the API, to checkout and to the dashboard. */
export const rawFaults: readonly RawFault[] = [
  { what: 'no Host', bytes: get(), answers: [400] },
  { what: 'two Hosts', bytes: get(host, 'Host: elsewhere.example'), answers: [400] },
  { what: 'the same Host twice', bytes: get(host, host), answers: [400] },
  { what: 'a Host with a path', bytes: get('Host: a/b'), answers: REFUSED },
  { what: 'a Host of spaces', bytes: get('Host:   '), answers: REFUSED },
  {
    what: 'an absolute address of another host',
    bytes: get(host).replace('{path}', 'http://elsewhere.example{path}'),
    answers: REFUSED,
  },
  { what: 'no address', bytes: 'GET HTTP/1.1\r\nHost: {host}\r\n\r\n', answers: [400] },
  { what: 'an address with spaces', bytes: get(host).replace('{path}', '{path} {path}'), answers: [400] },
  { what: 'an address with a NUL', bytes: get(host).replace('{path}', '{path}\0'), answers: [400] },
  { what: 'an address with raw UTF-8', bytes: get(host).replace('{path}', '{path}/ü'), answers: REFUSED },
  {
    what: 'an address of 20 kB',
    bytes: get(host).replace('{path}', `{path}/${'a'.repeat(20_000)}`),
    answers: [414, 431, 404, 401],
  },
  {
    what: 'a percent sign without digits',
    bytes: get(host).replace('{path}', '{path}/%zz'),
    answers: REFUSED,
  },
  {
    what: 'an overlong encoding',
    bytes: get(host).replace('{path}', '{path}/%c0%ae%c0%ae'),
    answers: REFUSED,
  },
  { what: 'HTTP/0.9', bytes: 'GET {path}\r\n\r\n', answers: [0, ...REFUSED] },
  { what: 'HTTP/2.0 in text', bytes: get(host).replace('HTTP/1.1', 'HTTP/2.0'), answers: [...REFUSED, 505] },
  { what: 'HTTP/9.9', bytes: get(host).replace('HTTP/1.1', 'HTTP/9.9'), answers: [400] },
  { what: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answers: [0, 400] },
  { what: 'TLS', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', answers: [0, 400] },
  { what: 'a word that is no method', bytes: get(host).replace('GET', 'STEAL'), answers: [400, 405] },
  { what: 'TRACE', bytes: get(host).replace('GET', 'TRACE'), answers: [400, 401, 404, 405] },
  {
    what: 'CONNECT',
    bytes: get(host).replace('GET {path}', 'CONNECT elsewhere.example:443'),
    answers: [400, 404, 405],
  },
  { what: 'a header without a colon', bytes: get(host, 'Nonsense'), answers: [400] },
  { what: 'a header with a space before its colon', bytes: get(host, 'Accept : */*'), answers: [400] },
  { what: 'a folded header', bytes: get(host, 'Accept: a', ' b'), answers: [400] },
  { what: 'a header with a NUL', bytes: get(host, 'Accept: a\0b'), answers: [400] },
  { what: 'a header with a bare carriage return', bytes: get(host, 'Accept: a\rX: b'), answers: [400] },
  {
    what: 'lines that end without a carriage return',
    bytes: get(host).replaceAll('\r\n', '\n'),
    answers: [400],
  },
  { what: '40 kB of headers', bytes: get(host, `Accept: ${'a'.repeat(40_000)}`), answers: [431] },
  {
    what: '3,000 headers',
    bytes: get(host, ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`)),
    answers: [431],
  },
  { what: 'a length that is no number', bytes: post(['Content-Length: ten'], '{}'), answers: [400] },
  { what: 'a negative length', bytes: post(['Content-Length: -1'], '{}'), answers: [400] },
  { what: 'a length in hexadecimal', bytes: post(['Content-Length: 0x2'], '{}'), answers: [400] },
  { what: 'two lengths', bytes: post(['Content-Length: 2', 'Content-Length: 3'], '{}'), answers: [400] },
  {
    what: 'a length beyond all numbers',
    bytes: post([`Content-Length: ${'9'.repeat(40)}`], '{}'),
    answers: [400, 413],
  },
  {
    what: 'a length and chunks',
    bytes: post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    answers: [400],
  },
  {
    what: 'chunks under another name',
    bytes: post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'),
    answers: [400],
  },
  {
    what: 'chunks twice',
    bytes: post(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'),
    answers: [400, 401, 404],
  },
  {
    what: 'chunks that are not last',
    bytes: post(['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n'),
    answers: [400],
  },
  {
    what: 'a chunk of no size',
    bytes: post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
    answers: [400, 401, 404],
  },
  {
    what: 'a chunk of too great a size',
    bytes: post(['Transfer-Encoding: chunked'], 'ffffffffffffffffff\r\n'),
    answers: [400, 401, 404],
  },
  {
    what: 'a request behind a body',
    bytes: post(['Content-Length: 0'], '') + get(host),
    answers: [...REFUSED, 415],
  },
  {
    what: 'a body that never comes',
    bytes: post(['Content-Length: 10'], '{'),
    answers: [0, ...REFUSED, 408],
  },
  { what: 'nothing but line ends', bytes: '\r\n'.repeat(100), answers: [0] },
  { what: 'random bytes', bytes: '\x00\xff\x13\x37\x80'.repeat(200), answers: [0, 400] },
];
