import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { followChanges, type Following } from './follow-changes.ts';

const CLOSED = 2;

/** A stream whose messages a test sends. */
class PlayedSource extends EventTarget {
  readyState = 0;
  isOpen = true;
  close(): void {
    this.isOpen = false;
  }
  send(name: string, data: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }
  fail(readyState = 0): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
}

let sources: PlayedSource[];
let heard: string[];
let following: Following;
beforeEach(() => {
  jest.useFakeTimers();
  [sources, heard] = [[], []];
  following = followChanges({
    open: () => {
      const source = new PlayedSource();
      sources.push(source);
      return source;
    },
    onChanged: (ids) => heard.push(ids.join()),
    onMissed: ({ isShared }) => heard.push(isShared ? 'missed by many' : 'missed'),
    onRefused: () => heard.push('refused'),
    onLost: (isLost) => heard.push(isLost ? 'lost' : 'found'),
  });
});
afterEach(() => {
  following.pause({ hasUnloaded: false });
  expect(sources.filter(({ isOpen }) => isOpen)).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const passes = (ms: number) => jest.advanceTimersByTime(ms);
const newest = (): PlayedSource => {
  const source = sources.at(-1);
  if (!source) throw new Error('no stream was opened');
  return source;
};
/** Nothing has changed for an hour before the stream begins. */
const QUIET = { quiet_ms: 3_600_000 };

function begin(ready = QUIET): PlayedSource {
  following.resume();
  newest().send('ready', ready);
  heard.length = 0;
  return newest();
}

describe('a page that has just been opened', () => {
  it('a page loads nothing again when nothing has changed since it was opened', () => {
    following.resume();
    passes(300);
    newest().send('ready', QUIET);
    expect(heard).toEqual(['found']);
  });

  it('a page loads everything again when something changed while its stream was being opened', () => {
    following.resume();
    passes(300);
    newest().send('ready', { quiet_ms: 200 });
    expect(heard).toEqual(['found', 'missed']);
  });
});

describe('a stream', () => {
  it('a stream tells what has changed, and when everything may have', () => {
    const source = begin();
    source.send('changed', { group_payments: ['g1', 'g2'] });
    source.send('heartbeat');
    source.send('missed');
    expect(heard).toEqual(['g1,g2', 'missed by many']);
  });

  it('a stream that was lost is opened again, and a change in the gap is not missed', () => {
    begin().fail();
    passes(4_000);
    expect(sources.length).toBe(2);
    newest().send('ready', { quiet_ms: 500 });
    expect(heard).toEqual(['found', 'missed by many']);
  });

  it('a gap without a change loads nothing again', () => {
    begin();
    passes(40_000);
    newest().fail();
    passes(4_000);
    newest().send('ready', QUIET);
    expect(heard).toEqual(['found']);
  });

  it('a stream that fails again and again is opened with growing pauses, up to half a minute', () => {
    begin().fail();
    const pauses: number[] = [];
    for (let n = 0; n < 8; n++) {
      const before = sources.length;
      const since = Date.now();
      while (sources.length === before) passes(100);
      pauses.push(Date.now() - since);
      newest().fail();
    }
    expect(pauses[0]).toBeLessThanOrEqual(4_000);
    expect(pauses[7]).toBeGreaterThanOrEqual(7_500);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
  });

  it.each([
    [0, 1_000],
    [0.5, 2_500],
    [0.999, 3_997],
  ])(
    'pages that lose their streams together come back over three seconds: at %d, after %d ms',
    (at, pauseMs) => {
      const random = jest.spyOn(Math, 'random').mockReturnValue(at);
      begin().fail();
      random.mockRestore();
      passes(pauseMs - 1);
      expect(sources.length).toBe(1);
      passes(1);
      expect(sources.length).toBe(2);
    },
  );

  it('a silent stream is dead: another one is opened after 45 seconds without a heartbeat', () => {
    const source = begin();
    passes(40_000);
    source.send('heartbeat');
    passes(40_000);
    expect(sources.length).toBe(1);
    passes(9_000);
    expect([source.isOpen, sources.length]).toEqual([false, 2]);
  });

  it('a stream that the server refused or ended makes the page ask for its session', () => {
    begin().fail(CLOSED);
    expect(heard).toEqual(['refused']);
    passes(4_000);
    newest().send('ready', QUIET);
    newest().send('end');
    expect(heard).toEqual(['refused', 'found', 'refused']);
  });

  it('messages of a stream that was given up count no more', () => {
    const source = begin();
    source.fail();
    source.send('changed', { group_payments: ['g1'] });
    expect(heard).toEqual([]);
  });
});

describe('a loss', () => {
  it('a loss is told after half a minute, and again when it is over', () => {
    begin().fail();
    passes(29_000);
    expect(heard).toEqual([]);
    passes(2_000);
    expect(heard).toEqual(['lost']);
    newest().send('ready', QUIET);
    expect(heard).toEqual(['lost', 'found']);
  });
});

describe('a hidden page', () => {
  it('a hidden page has no stream, and what changed meanwhile is loaded when it is shown again', () => {
    const source = begin();
    following.pause({ hasUnloaded: false });
    expect(source.isOpen).toBe(false);
    passes(600_000);
    expect([heard, sources.length]).toEqual([[], 1]);
    following.resume();
    newest().send('ready', { quiet_ms: 300_000 });
    expect(heard).toEqual(['found', 'missed']);
  });

  it('a change that was announced before the page was hidden is loaded when it is shown again', () => {
    begin();
    following.pause({ hasUnloaded: true });
    passes(600_000);
    following.resume();
    newest().send('ready', QUIET);
    expect(heard).toEqual(['found', 'missed']);
  });

  it('a page that is shown while it has a stream keeps it', () => {
    begin();
    following.resume();
    expect(sources.length).toBe(1);
  });
});
