import { dueAnnouncement, timeLeft } from './countdown.ts';
import { serverClock } from './server-clock.ts';

describe('the clocks of the page', () => {
  it("the clocks of the page run on the server's time whatever the device thinks", () => {
    let ticks = 500;
    const clock = serverClock(1_000_000, () => ticks);
    ticks += 3_000;
    expect(clock.now()).toBe(1_003_000);
  });

  it('the clocks of the page follow the server when its time jumps, as under a test clock', () => {
    let ticks = 0;
    const clock = serverClock(1_000_000, () => ticks);
    ticks += 1_000;
    clock.synchronise(1_000_000 + 3_600_000);
    expect(clock.now()).toBe(4_600_000);
  });

  it('the clocks of the page do not jitter with the latency of responses', () => {
    const clock = serverClock(1_000_000, () => 0);
    clock.synchronise(999_200);
    expect(clock.now()).toBe(1_000_000);
  });

  it('the clocks of the page show 0:00 only when it is over', () => {
    expect(timeLeft(1)).toEqual({ unit: 'minutes', text: '0:01' });
    expect(timeLeft(0)).toEqual({ unit: 'over', text: '0:00' });
    expect(timeLeft(-5)).toEqual({ unit: 'over', text: '0:00' });
  });

  it.each([
    [59_999, { unit: 'minutes', text: '1:00' }],
    [754_000, { unit: 'minutes', text: '12:34' }],
    [3_599_001, { unit: 'hours', hours: 1, minutes: 0 }],
    [5_400_000, { unit: 'hours', hours: 1, minutes: 30 }],
    [47 * 3_600_000, { unit: 'hours', hours: 47, minutes: 0 }],
    [50 * 3_600_000, { unit: 'days', days: 2, hours: 2 }],
  ])('the clocks of the page show %d ms in words', (ms, words) => expect(timeLeft(ms)).toEqual(words));

  it('the clocks of the page announce each threshold once: five minutes, one minute, twenty seconds', () => {
    const announced = [];
    for (let left = 302_000, before = 303_000; left > -3_000; before = left, left -= 1_000) {
      const due = dueAnnouncement(before, left);
      if (due !== undefined) announced.push(due);
    }
    expect(announced).toEqual([300_000, 60_000, 20_000]);
  });

  it('the clocks of the page announce only the most urgent threshold to a page that slept', () => {
    expect(dueAnnouncement(900_000, 15_000)).toBe(20_000);
    expect(dueAnnouncement(900_000, -1)).toBeUndefined();
  });
});
