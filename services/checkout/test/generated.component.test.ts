import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';
import { widgetRelease } from './widget-release.ts';

it('the README says what the source says; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

it('the widget that is served is the one of the source, and a version that is out never changes', async () => {
  expect(await staleFiles(await widgetRelease())).toEqual([]);
});
