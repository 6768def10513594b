import { describe, expect, it } from '@jest/globals';
import { formatEvent, openPulse } from './event-stream.ts';

describe('a server-sent event', () => {
  it('a server-sent event is its name, its id where it has one, and its data on one line', () => {
    expect(formatEvent('change', { text: 'a\nb' }, 7)).toBe(
      'event: change\nid: 7\ndata: {"text":"a\\nb"}\n\n',
    );
    expect(formatEvent('end', {})).toBe('event: end\ndata: {}\n\n');
  });
});

describe('a pulse', () => {
  it('a pulse that was woken before its wait ends the wait at once, and only that one', async () => {
    const pulse = openPulse(1);
    pulse.wake();
    pulse.wake();
    expect(await pulse.silence()).toBe(false);
    expect(await pulse.silence()).toBe(true);
    pulse.close();
  });

  it('a pulse that is woken while it waits ends the wait, and its heartbeat does not come', async () => {
    const pulse = openPulse(60_000);
    const waiting = pulse.silence();
    pulse.wake();
    expect(await waiting).toBe(false);
    pulse.close();
  });

  it('a closed pulse ends the wait that runs and every later one', async () => {
    const pulse = openPulse(60_000);
    const waiting = pulse.silence();
    pulse.close();
    expect([await waiting, await pulse.silence(), pulse.isClosed]).toEqual([false, false, true]);
  });
});
