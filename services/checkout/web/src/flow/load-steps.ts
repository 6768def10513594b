import type { Messages, Sentences } from '../i18n/en.ts';
import { loadLaterMessages } from '../i18n/load.ts';
import { loadFile, type OnWait } from '../net/load-file.ts';
import type * as steps from '../steps.ts';

/** The code and the parts of the steps after the first press. */
export type Steps = typeof steps;

/** Fetches the steps after the first press, and adds their sentences to the page's; a group's own ones stay. */
export async function fetchSteps(
  messages: Messages,
  own: Sentences | undefined,
  onWait: OnWait,
): Promise<Steps> {
  const [loaded, later] = await Promise.all([
    loadFile(() => import('../steps.ts'), onWait),
    loadLaterMessages(),
  ]);
  Object.assign(messages, later, own);
  return loaded;
}
