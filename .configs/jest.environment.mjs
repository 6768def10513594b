import { createHook } from 'node:async_hooks';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';
import { keepCompiled } from './jest.compile-once.mjs';
import { chooseTests, quarantine } from './jest.quarantine.mjs';

const isQuarantineRun = process.env.GP_QUARANTINE === '1';

/** What keeps a process alive: timers, sockets, listening servers and child processes. */
const kinds = new Set([
  'Timeout',
  'TCPWRAP',
  'TCPSERVERWRAP',
  'PIPESERVERWRAP',
  'UDPWRAP',
  'PROCESSWRAP',
  'WORKER',
]);

/**
 * A closed socket is gone only some turns of the loop later, so what is left is looked at so often before it counts.
 * Looks and not seconds: a process that was held up has not yet processed what ended meanwhile.
 */
const LOOKS = 1_000;
const LOOK_EVERY_MS = 5;

/**
 * What an earlier file of this worker left behind lives on: a client that reconnects opens ever new handles.
 * From then on only handles that our own code opened are held against a file.
 */
let isTainted = false;

// A worker with nothing left to do exits at once. Without this, Node first frees the modules of all its test files, which takes
// 340 to 660 ms on a busy machine, and jest kills a worker that needs more than 500 ms and calls it leaking. A worker that
// something keeps alive never gets here, so jest still reports it.
if (process.send) process.once('beforeExit', () => process.exit());

/** Fails a test file that leaves a handle behind, and names the line that opened it. */
export default class LeakCheckingEnvironment extends TestEnvironment {
  #open = new Map();
  #hasFailed = false;
  #quarantined;

  constructor(config, context) {
    super(config, context);
    const file = relative(config.projectConfig.rootDir, context.testPath);
    this.#quarantined = quarantine.filter((entry) => entry.file === file).map(({ test }) => test);
  }

  #hook = createHook({
    init: (id, kind, _trigger, resource) => {
      if (kinds.has(kind)) this.#open.set(id, { kind, resource, from: new Error() });
    },
    destroy: (id) => this.#open.delete(id),
    trackPromises: false,
  });

  async setup() {
    await super.setup();
    // jest-circus reads here how often a failed test may be tried again.
    if (isQuarantineRun) this.global[Symbol.for('RETRY_TIMES')] = 1;
    this.#hook.enable();
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start' && (isQuarantineRun || this.#quarantined.length > 0))
      chooseTests(state.rootDescribeBlock, this.#quarantined, isQuarantineRun);
    // A browser test shows after a failure what its pages showed.
    if (event.name === 'test_start') this.global.hasTestFailed = false;
    if (event.name === 'test_fn_failure') this.global.hasTestFailed = true;
    if (event.name === 'hook_failure') this.#hasFailed = true;
    if (event.name === 'test_done' && event.test.errors.length > 0) this.#hasFailed = true;
  }

  async teardown() {
    const left = await this.#leftAfterGrace();
    this.#hook.disable();
    this.#open.clear();
    keepCompiled();
    await super.teardown();
    if (left.length === 0) return;
    isTainted = true;
    // A failed test often leaves things open; its own message must not be replaced by this one.
    if (!this.#hasFailed) throw new Error(`The test file left open: ${[...new Set(left)].join(', ')}.`);
  }

  async #leftAfterGrace() {
    for (let looks = 1; ; looks += 1) {
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
      const left = [...this.#open.values()].filter(counts);
      if (left.length > 0 && looks < LOOKS) continue;
      // Reported is enough: what was left must not also keep the run from ending.
      for (const { resource } of left) resource.unref?.();
      return left.map(describe);
    }
  }
}

const keepsAlive = ({ resource }) => resource.hasRef?.() ?? false;

/** The stack without this file and Node's own, innermost first. */
const callers = ({ from }) =>
  from.stack.split('\n').filter((line) => line.includes('/') && !/\(?node:|\.configs\//.test(line));

/** With one worker the reporters' own timers live in the same process. */
const isOfJest = (handle) => /\/node_modules\/(@jest\/|jest-)/.test(callers(handle)[0] ?? '');

/** Bundled packages are other people's code as well. */
const ourLine = (handle) => callers(handle).find((line) => !/\/node_modules\/|\/libs\/bundled\//.test(line));

const counts = (handle) =>
  keepsAlive(handle) && !isOfJest(handle) && (!isTainted || ourLine(handle) !== undefined);

function describe(handle) {
  const line = ourLine(handle) ?? callers(handle)[0];
  return `${handle.kind} opened ${line?.trim() ?? 'by Node itself'}`;
}
