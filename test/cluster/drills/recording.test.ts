import { expect, it } from '@jest/globals';
import { findNames, openRecorder, renderValues } from './recording.ts';

const scraped = (pod: string, text: string) => ({ namespace: 'p', pod, text });

it('a recorder keeps the series of the names, with the pod of each, and null where a look found none', () => {
  const recorder = openRecorder(new Set(['gp_a', 'gp_b']), 5);
  recorder.add([scraped('x', '# TYPE gp_a gauge\ngp_a 1\ngp_other 7\n')]);
  recorder.add([scraped('y', 'gp_b{le="+Inf"} Nan'), scraped('x', 'gp_a 2')]);
  recorder.add([]);
  expect(recorder.end()).toEqual({
    everySeconds: 5,
    looks: 3,
    series: {
      'gp_a{namespace="p",pod="x"}': ['1', '2', null],
      'gp_b{namespace="p",pod="y",le="+Inf"}': [null, 'NaN', null],
    },
  });
});

it('the names of metrics are read from the expressions of rules', () => {
  const rules = 'expr: rate(gp_http_requests_total{status=~"5.."}[5m]) or absent(process_start_time_seconds)';
  expect([...findNames(rules)]).toEqual(['gp_http_requests_total', 'process_start_time_seconds']);
});

it('a series that goes away is stale once, and unknown before and after', () => {
  expect(renderValues([null, '1', '2', null, null, '3'])).toBe('_ 1 2 stale _ 3');
});
