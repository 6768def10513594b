import { basename, dirname } from 'node:path';

/** The journey that is run whenever something is changed that the platform runs. */
const SMOKE = 'test/journeys/main-job.journey.test.ts';

/** What compares the compose file with the chart that it is written from, in seconds. */
const COMPOSE = /^test\/platform\/compose\/[^.]+\.test\.ts$/;

/** Words in names of services that say nothing of what a test is about. */
const COMMON = ['services', 'api', 'gateway', 'adapters', 'group', 'merchant', 'psp'];

const WORKSPACE = /^(?:libs\/[^/]+|services\/gateway-adapters\/[^/]+|services\/[^/]+|test)\//;

/**
 * The tests that changed files touch: those that import one of them, those of the same workspace, since tests start
 * its processes and read its SQL, and, when a service or a library has changed, the main journey and those that are
 * named after it.
 * @param {{ files: readonly string[], tests: readonly string[], related: readonly string[] }} o
 *   `files` that changed, all `tests` of the project, and those that are `related` to the files by imports
 * @returns {string[]} paths, sorted
 */
export function chooseTests({ files, tests, related }) {
  const chosen = new Set(related);
  const chooseWhere = (fits) => tests.filter(fits).forEach((test) => chosen.add(test));
  for (const file of files) {
    const [workspace] = WORKSPACE.exec(file) ?? [];
    if (tests.includes(file)) chosen.add(file);
    else if (workspace === undefined) chooseWhere((test) => test.startsWith('test/tooling/'));
    else if (workspace === 'test/') chooseWhere((test) => dirname(test) === dirname(file));
    else if (!file.endsWith('.md')) {
      chooseWhere((test) => test.startsWith(workspace) && !test.endsWith('.journey.test.ts'));
      if (!file.includes('/test/')) chooseOutside(workspace, chooseWhere);
    }
    if (/^(charts|k8s|test\/platform)\//.test(file)) chooseWhere((test) => test.endsWith('.chart.test.ts'));
    if (/^(charts|test\/platform)\/|^compose\.yaml$/.test(file)) chooseWhere((test) => COMPOSE.test(test));
  }
  return [...chosen].sort();
}

/** What looks at a workspace from outside. */
function chooseOutside(workspace, chooseWhere) {
  const words = workspace
    .split(/[/-]/)
    .filter((word) => workspace.startsWith('services/') && word.length > 1 && !COMMON.includes(word));
  const isNamedAfterIt = (test) => words.some((word) => basename(test).startsWith(word));
  chooseWhere((test) => test === SMOKE || (/\.(journey|browser)\./.test(test) && isNamedAfterIt(test)));
}
