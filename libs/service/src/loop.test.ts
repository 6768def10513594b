import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { createLogger, type Logger } from '@gp/telemetry';
import { runLoop, type Loop } from './loop.ts';

/** Far longer than any test takes, so a second pass was not started by the end of the pause. */
const forever = 3_600_000;

function recordingLog(): { log: Logger; messages: () => string[] } {
  const messages: string[] = [];
  const write = (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg);
  return {
    log: createLogger({ service: 'test', level: 'info', stream: { write } }),
    messages: () => messages,
  };
}

type Step = 'idle' | 'busy' | Error | (() => Promise<'idle' | 'busy'>);

/** A loop that runs scripted steps and then idles; `reached(n)` resolves when its n-th pass begins. */
function scripted(
  steps: readonly Step[],
  idleMs = 0,
): Loop & { wake: () => void; reached(n: number): Promise<void> } {
  let passes = 0;
  const waiting = new Map<number, () => void>();
  const loop = {
    name: 'scripted',
    idleMs,
    wake: () => undefined as void,
    onWake: (wake: () => void) => void (loop.wake = wake),
    reached: (n: number) =>
      passes >= n ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(n, resolve)),
    async runOnce() {
      const step = steps[passes++] ?? 'idle';
      waiting.get(passes)?.();
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step() : step;
    },
  };
  return loop;
}

describe('a loop', () => {
  it('a loop continues at once after a busy pass and pauses after an idle one', async () => {
    const loop = scripted(['busy', 'busy', 'idle'], forever);
    const running = runLoop(loop, recordingLog().log);
    await loop.reached(3);
    await running.close();
  });

  it('a loop pauses no longer than idleMs', async () => {
    const loop = scripted(['idle', 'idle'], 1);
    const running = runLoop(loop, recordingLog().log);
    await loop.reached(3);
    await running.close();
  });

  it('a loop is woken from its pause', async () => {
    const loop = scripted(['idle'], forever);
    const running = runLoop(loop, recordingLog().log);
    await loop.reached(1);
    await new Promise((resolve) => setImmediate(resolve));
    loop.wake();
    await loop.reached(2);
    await running.close();
  });

  it('a loop keeps a wake that comes while a pass is running', async () => {
    const loop = scripted(
      [
        async () => {
          loop.wake();
          return 'idle';
        },
      ],
      forever,
    );
    const running = runLoop(loop, recordingLog().log);
    await loop.reached(2);
    await running.close();
  });

  it('a loop survives every failure, logs each kind once and its recovery once', async () => {
    const down = () => new AppError('service_unavailable');
    const { log, messages } = recordingLog();
    const loop = scripted([down(), down(), new TypeError('bug'), down(), 'idle', 'idle', down(), 'idle']);
    const running = runLoop(loop, log);
    await loop.reached(9);
    await running.close();
    expect(messages()).toEqual([
      'loop failed, retrying',
      'loop failed, retrying',
      'loop works again',
      'loop failed, retrying',
      'loop works again',
    ]);
  });

  it('a loop that is closed finishes the pass in hand and begins no other', async () => {
    let finish: (result: 'busy') => void = () => undefined;
    const loop = scripted([() => new Promise((resolve) => (finish = resolve)), new Error('a second pass')]);
    const { log, messages } = recordingLog();
    const running = runLoop(loop, log);
    await loop.reached(1);
    const order: string[] = [];
    const closed = running.close().then(() => order.push('closed'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('pass finished');
    finish('busy');
    await closed;
    expect(order).toEqual(['pass finished', 'closed']);
    expect(messages()).toEqual([]);
  });

  it('a loop can be closed while it waits after a failure', async () => {
    const loop = scripted([new Error('one'), new Error('two'), new Error('three')]);
    const running = runLoop(loop, recordingLog().log);
    await loop.reached(2);
    await running.close();
  });
});
