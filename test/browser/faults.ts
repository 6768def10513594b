import type { BrowserContext, Page } from 'playwright-core';

/** Errors that a browser reported about the pages of a context, in the order of the reports. */
export type FaultWatch = {
  expects(fault: RegExp): void;
  faults(): readonly string[];
};

/** Hears every page of a context: console errors, exceptions, requests that got no answer, crashes. */
export function watchFaults(context: BrowserContext): FaultWatch {
  const heard: string[] = [];
  const expected: RegExp[] = [];
  context.on('console', (message) => {
    const { url } = message.location();
    // Asked for behind the page's back and at any time; a page that wants one names it.
    if (message.type() !== 'error' || url.endsWith('/favicon.ico')) return;
    heard.push(`console: ${message.text()} (${url})`);
  });
  context.on('weberror', (error) => heard.push(`exception: ${describe(error.error())}`));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no reason given';
    // Leaving a page ends its requests: that is no fault of theirs.
    if (reason !== 'net::ERR_ABORTED') heard.push(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  context.on('page', (page: Page) => page.on('crash', () => heard.push(`crash: ${page.url()}`)));
  return {
    expects: (fault) => void expected.push(fault),
    faults: () => heard.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
  };
}

const describe = (error: Error): string => error.stack ?? error.message;
