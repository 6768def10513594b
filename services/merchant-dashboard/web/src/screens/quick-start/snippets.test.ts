import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { PLAIN_LOOK } from './look.ts';
import { createSnippet, verifySnippet, widgetScriptSnippet, widgetSnippet } from './snippets.ts';

it.each(['test', 'live'] as const)('the quick start names the prefix of a %s key and no other', (mode) => {
  const text = createSnippet('https://api.example', mode, 0);
  expect(text.match(/sk_\w+?_/g)).toEqual([`sk_${mode}_`]);
  expect(text).toContain('curl https://api.example/v1/group-payments');
});

it('the first request of the quick start is what a plain shell sends: a key for repeats, and a bill that ends in an hour', () => {
  // A function of this name stands in for the program and prints what it was given.
  const curl = 'curl() { printf "%s\\0" "$@"; }';
  const said = execFileSync('sh', ['-euc', `${curl}\n${createSnippet('https://api.example', 'test', 0)}`]);
  const given = said.toString().split('\0');
  const body = JSON.parse(given[given.indexOf('-d') + 1] ?? '') as Record<string, unknown>;
  expect(body).toMatchObject({ total_amount: 90, expires_at: '1970-01-01T01:00:00.000Z' });
  expect(given.filter((text) => /^Idempotency-Key: \S+$/.test(text))).toHaveLength(1);
});

it('the quick start loads the widget from the checkout’s own address', () => {
  expect(widgetSnippet('https://pay.example', PLAIN_LOOK)).toContain(
    'src="https://pay.example/widget/v1.js"',
  );
});

it('the quick start shows a verification that accepts genuine webhooks and nothing else', async () => {
  const code = verifySnippet().replace('function isGenuine', 'export function isGenuine');
  const source = `data:text/javascript,${encodeURIComponent(code)}`;
  const { isGenuine } = (await import(source)) as { isGenuine: (...given: unknown[]) => boolean };
  const t = Math.floor(Date.now() / 1_000);
  const sign = (body: string, secret: string, at = t) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  expect(isGenuine(Buffer.from('{}'), sign('{}', 'secret'), 'secret')).toBe(true);
  expect(isGenuine(Buffer.from('{}'), sign('{}', 'other'), 'secret')).toBe(false);
  expect(isGenuine(Buffer.from('{"a":1}'), sign('{}', 'secret'), 'secret')).toBe(false);
  expect(isGenuine(Buffer.from('{}'), sign('{}', 'secret', t - 400), 'secret')).toBe(false);
});

it('the quick start writes into the widget’s code what was chosen for its look, and nothing that the widget would refuse', () => {
  const chosen = { locale: 'nl', colorScheme: 'dark', background: '#F6F1E7', radius: 0, font: 'serif' };
  expect(widgetScriptSnippet('https://pay.example', chosen)).toContain(`    locale: 'nl',
    theme: { colorScheme: 'dark', background: '#F6F1E7', radius: 0, font: 'serif' },
    onComplete:`);
  expect(widgetSnippet('https://pay.example', chosen)).toContain(`  data-redirect-url="/thanks/{id}"
  data-locale="nl"
  data-color-scheme="dark"
  data-background="#F6F1E7"
  data-radius="0"
  data-font="serif"
></div>`);
  for (const look of [PLAIN_LOOK, { ...PLAIN_LOOK, locale: "'}", background: '"><b>' }]) {
    expect(widgetScriptSnippet('https://pay.example', look)).not.toMatch(/locale|theme/);
    expect(widgetSnippet('https://pay.example', look)).toContain(`  data-redirect-url="/thanks/{id}"
></div>`);
  }
});
