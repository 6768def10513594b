import { describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@gp/errors';
import { counter, documentedMetrics, gauge, histogram, levels, registry, cached } from './metrics.ts';
import { observeHandling, observeHttpRequest, subjectName } from './red.ts';

describe('a metric', () => {
  it('a metric is documented with name, help, unit and labels as soon as it is defined', () => {
    const definition = {
      name: 'gp_test_things_total',
      help: 'Things',
      unit: 'things',
      labels: ['outcome'],
    } as const;
    counter(definition).inc({ outcome: 'ok' });
    expect(documentedMetrics()).toContainEqual({ ...definition, kind: 'counter' });
  });

  it('a metric defined twice alike is one, and defined differently is refused', async () => {
    const definition = { name: 'gp_test_twice_total', help: 'Twice', unit: 'things' };
    counter(definition).inc();
    counter(definition).inc();
    expect(await registry.getSingleMetricAsString(definition.name)).toContain('gp_test_twice_total 2');
    expect(() => gauge(definition)).toThrow(/gp_test_twice_total/);
    expect(() => counter({ ...definition, labels: ['more'] })).toThrow(/gp_test_twice_total/);
  });

  it('a metric that has to be looked up is read at each scrape', async () => {
    let backlog = 3;
    gauge({ name: 'gp_test_backlog', help: 'Backlog', unit: 'rows', collect: (one) => one.set(backlog) });
    expect(await registry.metrics()).toContain('gp_test_backlog 3');
    backlog = 5;
    expect(await registry.metrics()).toContain('gp_test_backlog 5');
  });

  it('a metric has the series that are known to be possible from the start, at 0', async () => {
    const zero = [{ outcome: 'ok' }, { outcome: 'lost' }];
    counter({ name: 'gp_test_zeros_total', help: 'Zeros', unit: 'things', labels: ['outcome'], zero }).inc({
      outcome: 'ok',
    });
    const page = await registry.getSingleMetricAsString('gp_test_zeros_total');
    expect(page).toContain('gp_test_zeros_total{outcome="ok"} 1');
    expect(page).toContain('gp_test_zeros_total{outcome="lost"} 0');
    histogram({ name: 'gp_test_waits_seconds', help: 'Waits', unit: 'seconds', labels: ['outcome'], zero });
    expect(await registry.getSingleMetricAsString('gp_test_waits_seconds')).toContain(
      'gp_test_waits_seconds_count{outcome="lost"} 0',
    );
  });

  it('a metric whose series are looked up has the found ones, 0 for missing ones, and none while they cannot be known', async () => {
    let found: Promise<{ labels: { mode: string }; value: number }[]> = Promise.resolve([
      { labels: { mode: 'live' }, value: 4 },
    ]);
    const zero = [{ mode: 'live' }, { mode: 'test' }];
    const definition = { name: 'gp_test_levels', help: 'Levels', unit: 'rows', labels: ['mode'] } as const;
    levels({ ...definition, zero, read: () => found });
    const page = () => registry.getSingleMetricAsString('gp_test_levels');
    expect(await page()).toMatch(/\{mode="live"\} 4[^]*\{mode="test"\} 0/);
    found = Promise.resolve([]);
    expect(await page()).toMatch(/\{mode="live"\} 0/);
    found = Promise.reject(new Error('away'));
    expect(await page()).not.toContain('mode=');
  });

  it('a metric may have its own buckets', async () => {
    histogram({ name: 'gp_test_sizes', help: 'Sizes', unit: 'commands', buckets: [1, 8, 64] }).observe(5);
    expect(await registry.metrics()).toContain('gp_test_sizes_bucket{le="8"} 1');
  });
});

describe('a cached answer', () => {
  it('a cached value is read once for all who wait for it, and again when it is no longer fresh', async () => {
    const ask = jest.fn(async () => 7);
    const shared = cached(ask);
    await expect(Promise.all([shared(), shared()])).resolves.toEqual([7, 7]);
    expect(ask).toHaveBeenCalledTimes(1);
    await shared();
    expect(ask).toHaveBeenCalledTimes(2);
    const fresh = cached(ask, 60_000);
    await fresh();
    await fresh();
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('a failed read is not cached: the next one reads again', async () => {
    const ask = jest
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValue(1);
    const once = cached(ask, 60_000);
    await expect(once()).rejects.toThrow('away');
    await expect(once()).resolves.toBe(1);
  });
});

describe('what comes in', () => {
  it('a request over HTTP is counted by route pattern, method and status, and timed', async () => {
    observeHttpRequest({ route: '/v1/things/:id', method: 'GET', status: 404, durationMs: 30 });
    const page = await registry.metrics();
    expect(page).toContain('gp_http_requests_total{route="/v1/things/:id",method="GET",status="404"} 1');
    expect(page).toContain('gp_http_request_duration_seconds_sum{route="/v1/things/:id",method="GET"} 0.03');
  });

  it('a call over the bus is counted by its outcome, and a failure passes through', async () => {
    const subject = 'rpc.test.things.create.v1';
    const done = jest.fn();
    await expect(observeHandling({ subject, way: 'rpc' }, async () => 7, done)).resolves.toBe(7);
    const failing = () => Promise.reject(new AppError('not_found'));
    await expect(observeHandling({ subject, way: 'rpc' }, failing, done)).rejects.toThrow(AppError);
    const page = await registry.metrics();
    expect(page).toContain(`gp_bus_messages_total{subject="${subject}",way="rpc",outcome="ok"} 1`);
    expect(page).toContain(`gp_bus_messages_total{subject="${subject}",way="rpc",outcome="not_found"} 1`);
    expect(done).toHaveBeenLastCalledWith(
      expect.objectContaining({ outcome: 'not_found', error: expect.any(AppError) }),
    );
  });

  it.each([
    ['evt.ledger.group.created.v1.0198f0a0-1234', 'evt.ledger.group.created.v1'],
    ['cmd.gateway_a.intent.capture.v1', 'cmd.gateway_a.intent.capture.v1'],
    ['evt.ledger.group.created.v12.id.v3', 'evt.ledger.group.created.v12'],
    ['no-version', 'no-version'],
  ])('the subject %s is counted under the name %s', (subject, name) => {
    expect(subjectName(subject)).toBe(name);
  });
});
