import { describe, expect, it } from '@jest/globals';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/stack.ts';
import { findLayer } from './layers.ts';
import { findPart, listParts, placeFinder } from './places.ts';

const BUNDLE = [
  'import { a } from "./src.js";',
  '// libs/pg/src/open-pg.ts',
  'function open() {',
  '\t// libs/bus/src/bus.ts',
  '}',
  '// node_modules/pg/lib/client.js',
  'function query() {}',
].join('\n');

describe('places of code', () => {
  it('a line of a bundle belongs to the source file that is named above it', () => {
    const parts = listParts(BUNDLE);
    expect([0, 2, 4, 6].map((line) => findPart(parts, line))).toEqual([
      undefined,
      'libs/pg/src/open-pg.ts',
      'libs/pg/src/open-pg.ts',
      'node_modules/pg/lib/client.js',
    ]);
  });

  it('a file that is no bundle is its own place, and a part of Node is its name', () => {
    const findPlace = placeFinder();
    const url = pathToFileURL(`${root}/libs/bus/src/bus.ts`).href;
    expect(findPlace({ functionName: '', url, lineNumber: 7 })).toBe('libs/bus/src/bus.ts');
    expect(findPlace({ functionName: '', url: 'node:net', lineNumber: 7 })).toBe('node:net');
  });
});

describe('layers of code', () => {
  it.each([
    ['services/group-ledger/src/domain/group.ts', 'our domain'],
    ['services/gateway-adapters/stripe/src/provider/client.ts', 'our services'],
    ['libs/bundled/dist/express.js', 'Express'],
    ['libs/bundled/dist/typebox.js', 'schemas (ajv, typebox)'],
    ['libs/bundled/dist/jose.js', 'other packages'],
    ['libs/outbox/src/relay.ts', 'our outbox library'],
    ['libs/money/src/minor.ts', 'our other libraries'],
    ['node_modules/pg-protocol/dist/parser.js', 'Postgres driver'],
    ['node_modules/stripe/esm/net.js', 'other packages'],
    ['node_modules/pino/lib/tools.js', 'logger (pino)'],
    ['node:_http_server', 'Node: HTTP'],
    ['node:internal/crypto/hash', 'Node: cryptography'],
    ['node:internal/streams/writable', 'Node: network and streams'],
    ['node:internal/timers', 'Node: timers, events, buffers and others'],
  ])('%s is of the layer "%s"', (place, layer) => {
    expect(findLayer(place)).toBe(layer);
  });
});
