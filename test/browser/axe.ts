import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { ContextObject, FrameContext, PartialResults, Result, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof Axe;
  }
}

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs axe in the page and in every frame that shows, and returns what violates its rules. It is loaded once into each
 * document; the vendor's own library for Playwright loads it at least twice a run, and leaves out a frame where that takes
 * more than a second.
 */
export async function findViolations(page: Page, options: RunOptions): Promise<Result[]> {
  const asked = { ...options, resultTypes: ['violations'] } satisfies RunOptions;
  const frame = page.mainFrame();
  await load(frame);
  if (page.frames().length === 1)
    return frame.evaluate(async (options) => (await window.axe.run(document, options)).violations, asked);
  const partials = await judge(frame, { include: [], exclude: [] }, asked);
  return frame.evaluate(
    async ([partials, options]) => (await window.axe.finishRun(partials, options)).violations,
    [partials, asked] as const,
  );
}

async function load(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(SOURCE);
}

/** What axe finds in a frame, followed by what it finds in the frames within. */
async function judge(
  frame: Frame,
  context: ContextObject | FrameContext['frameContext'],
  options: RunOptions,
): Promise<PartialResults> {
  await load(frame);
  const within = await frame.evaluate(
    (context) => window.axe.utils.getFrameContexts(context as ContextObject),
    context,
  );
  const own = await frame.evaluate(
    ([context, options]) => window.axe.runPartial(context as ContextObject, options),
    [context, options] as const,
  );
  const rest: PartialResults[] = [];
  for (const { frameSelector, frameContext } of within) {
    const element = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(selector),
      frameSelector,
    );
    const child = await element.asElement()?.contentFrame();
    // A frame that has gone meanwhile has nothing left to judge.
    rest.push(child ? await judge(child, frameContext, options) : [null]);
  }
  return [own, ...rest.flat()];
}
