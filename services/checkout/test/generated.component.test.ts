import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';
import { widgetRelease } from './widget-release.ts';

it('the README equals what the source generates; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

it('the served widget is the one of the source, and a published version never changes', async () => {
  expect(await staleFiles(await widgetRelease())).toEqual([]);
});
