import { describe, expect, it } from '@jest/globals';
import { publicApi } from '@gp/contracts';
import { staleFiles } from '@gp/testing';
import type { RouteParts } from '../src/http/route-parts.ts';
import { routes } from '../src/http/routes.ts';
import { generated } from './generated.ts';

describe('what is written down', () => {
  it('README and schema equal what the source generates; otherwise run `npm run generate`', async () => {
    expect(await staleFiles(generated)).toEqual([]);
  });

  it('the routes are the operations of the contract, each behind a credential', () => {
    const served = routes({ cors: {} } as unknown as RouteParts);
    const published = Object.values(publicApi.operations);
    expect(served.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      published.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`).sort(),
    );
    expect(served.every((route) => route.admit !== undefined)).toBe(true);
    expect(published.every((operation) => operation.accepts.length > 0)).toBe(true);
  });
});
