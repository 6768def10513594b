import { createHook } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

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

/** A closed socket is gone only some turns of the loop later, so what is left is given this long. */
const graceMs = 3_000;

/** Fails a test file that leaves a handle behind, and names the line that opened it. */
export default class LeakCheckingEnvironment extends TestEnvironment {
  #open = new Map();

  #hook = createHook({
    init: (id, kind, _trigger, resource) => {
      if (kinds.has(kind)) this.#open.set(id, { kind, resource, from: new Error() });
    },
    destroy: (id) => this.#open.delete(id),
    trackPromises: false,
  });

  async setup() {
    await super.setup();
    this.#hook.enable();
  }

  async teardown() {
    const left = await this.#leftAfterGrace();
    this.#hook.disable();
    this.#open.clear();
    await super.teardown();
    if (left.length > 0) throw new Error(`The test file left open: ${[...new Set(left)].join(', ')}.`);
  }

  async #leftAfterGrace() {
    for (const deadline = Date.now() + graceMs; ;) {
      await delay(5, undefined, { ref: false });
      const left = [...this.#open.values()].filter((handle) => keepsAlive(handle) && !isOfJest(handle));
      if (left.length > 0 && Date.now() < deadline) continue;
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

function describe(handle) {
  const lines = callers(handle);
  const ours = lines.find((line) => !line.includes('/node_modules/')) ?? lines[0];
  return `${handle.kind} opened ${ours?.trim() ?? 'by Node itself'}`;
}
