import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../project-files.ts';
import { bcd, type BrowserName } from './compat-data.ts';

/** Whose pages a promise is for. */
export type Audience = 'payers' | 'merchants';

export const AUDIENCES: readonly Audience[] = ['payers', 'merchants'];

type Versions = Readonly<Record<string, string>>;

/** `engines` are also the targets of the builds, in the build's words; `sameEngines` have their engines. */
const promise = JSON.parse(readFileSync(join(project, '.configs/browsers.json'), 'utf8')) as Readonly<
  Record<Audience, { readonly engines: Versions & { readonly ios: string }; readonly sameEngines: Versions }>
>;

/** A promised browser in its oldest version. */
export type Promised = { readonly browser: BrowserName; readonly version: string };

/** Returns the oldest promised version of each browser. */
export function listPromised(audience: Audience): readonly Promised[] {
  const { engines, sameEngines } = promise[audience];
  const { ios, ...others } = engines;
  return Object.entries({ ...others, safari_ios: ios, ...sameEngines }).map(([browser, version]) => ({
    browser: browser as BrowserName,
    version,
  }));
}

/** Returns a browser as a person names it, such as `Safari on iOS 15.4`. */
export const nameBrowser = ({ browser, version }: Promised): string =>
  `${bcd.browsers[browser].name} ${version}`;

/** Returns the day on which a version was released, such as `2022-03-14`; throws for a version that never was. */
export function findReleaseDate({ browser, version }: Promised): string {
  const date = bcd.browsers[browser].releases[version]?.release_date;
  if (date === undefined) throw new Error(`${browser} has no version ${version}`);
  return date;
}
