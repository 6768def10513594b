import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@gp/errors';
import { createLogger, type Logger } from '@gp/telemetry';
import { LONGEST_REST_MS, runLoop, type Loop, type PassResult, type Wake } from './loop.ts';

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

type Step = PassResult | Error | (() => Promise<PassResult>);

/** A loop that runs scripted steps and then idles; `reached(n)` resolves when its n-th pass begins. */
function scripted(
  steps: readonly Step[],
  idleMs = 0,
): Loop & { wake: Wake; reached(n: number): Promise<void> } {
  let passes = 0;
  const waiting = new Map<number, () => void>();
  const loop = {
    name: 'scripted',
    idleMs,
    wake: (() => undefined) as Wake,
    onWake: (wake: Wake) => void (loop.wake = wake),
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

describe('a loop that finds nothing waiting', () => {
  const start = (steps: readonly Step[]) => {
    jest.useFakeTimers();
    const startsAt: number[] = [];
    const wakes: Wake[] = [];
    const loop: Loop = {
      name: 'resting',
      idleMs: 1_000,
      onWake: (wake) => void wakes.push(wake),
      async runOnce() {
        const step = steps[startsAt.length] ?? 'empty';
        startsAt.push(performance.now());
        return typeof step === 'function' ? step() : (step as PassResult);
      },
    };
    const began = performance.now();
    const running = runLoop(loop, recordingLog().log);
    return {
      /** Seconds from the start to each pass. */
      passes: () => startsAt.map((at) => Math.round((at - began) / 10) / 100),
      wake: (withinMs?: number) => wakes[0]?.(withinMs),
      async close() {
        const closed = running.close();
        await jest.advanceTimersByTimeAsync(1);
        await closed;
      },
    };
  };
  const pass = (seconds: number) => jest.advanceTimersByTimeAsync(1_000 * seconds);
  afterEach(() => void jest.useRealTimers());

  it('a loop that finds nothing rests twice as long each time and finds what nobody woke it for within LONGEST_REST_MS', async () => {
    const loop = start([]);
    await pass(36);
    expect(loop.passes()).toEqual([0, 1, 3, 7, 15, 25, 35]);
    expect(LONGEST_REST_MS).toBe(10_000);
    await loop.close();
  });

  it('a resting loop looks at once when it is woken from a long rest, and often again where it found work', async () => {
    const loop = start(['empty', 'empty', 'empty', 'empty', 'empty', 'idle']);
    await pass(18);
    loop.wake();
    await pass(4.5);
    expect(loop.passes()).toEqual([0, 1, 3, 7, 15, 18, 19, 20, 22]);
    await loop.close();
  });

  it('a resting loop looks within the time that a wake gives, however often it is woken so', async () => {
    const loop = start([]);
    await pass(18);
    loop.wake(250);
    await pass(0.1);
    loop.wake(250);
    loop.wake(60_000);
    await pass(0.2);
    expect(loop.passes()).toEqual([0, 1, 3, 7, 15, 18.25]);
    await loop.close();
  });

  it('a resting loop keeps the time of a wake that comes while a pass is running', async () => {
    const steps: Step[] = ['empty', 'empty', 'empty'];
    const loop = start([
      ...steps,
      async () => {
        loop.wake(500);
        return 'empty';
      },
    ]);
    await pass(8);
    expect(loop.passes()).toEqual([0, 1, 3, 7, 7.5]);
    await loop.close();
  });

  it('a loop goes on resting when it was woken for nothing', async () => {
    const loop = start([]);
    await pass(5);
    loop.wake();
    await pass(18.5);
    expect(loop.passes()).toEqual([0, 1, 3, 5, 13, 23]);
    await loop.close();
  });
});
