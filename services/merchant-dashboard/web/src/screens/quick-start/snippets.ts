import type { Mode } from '../../shell/mode.ts';
import { listLook, type WidgetLook } from './look.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns code that creates a group payment with the merchant's key of this mode; it ends an hour after `nowMs`. It runs in
 * every POSIX shell, with curl alone.
 */
export function createSnippet(api: string, mode: Mode, nowMs: number): string {
  return `export GROUP_PAYMENTS_KEY=sk_${mode}_…

curl ${api}/v1/group-payments \\
  -H "Authorization: Bearer $GROUP_PAYMENTS_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-42-$(date +%s)" \\
  -d '{
    "group_name": "Dinner at Casa Lola",
    "total_amount": 90.00,
    "currency": "EUR",
    "expires_at": "${new Date(nowMs + HOUR_MS).toISOString()}",
    "distribution": { "type": "equally", "number_of_slots": 3 }
  }'`;
}

/** Returns code that mints a session token of one group payment. */
export function sessionSnippet(api: string): string {
  return `curl ${api}/v1/group-payments/$ID/session \\
  -H "Authorization: Bearer $GROUP_PAYMENTS_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{}'`;
}

/** Returns the widget's form, without a script of the merchant's own. */
export function widgetSnippet(checkout: string, look: WidgetLook): string {
  const attributes = listLook(look).map(({ attribute, value }) => `  data-${attribute}="${value}"\n`);
  return `<script src="${checkout}/widget/v1.js"></script>
<div
  data-service-group-pay
  data-session-url="/orders/42/session"
  data-redirect-url="/thanks/{id}"
${attributes.join('')}></div>`;
}

/** Returns the widget with a script: callbacks, language, look. */
export function widgetScriptSnippet(checkout: string, look: WidgetLook): string {
  const chosen = listLook(look);
  const write = (options: typeof chosen) =>
    options.map(({ option, value }) => `${option}: ${typeof value === 'number' ? value : `'${value}'`}`);
  const theme = write(chosen.filter(({ option }) => option !== 'locale'));
  const lines = [
    ...write(chosen.filter(({ option }) => option === 'locale')),
    ...(theme.length > 0 ? [`theme: { ${theme.join(', ')} }`] : []),
  ].map((line) => `    ${line},\n`);
  return `<div id="pay"></div>
<script src="${checkout}/widget/v1.js"></script>
<script>
  const widget = ServiceGroupPay({
    createSession: async () => {
      const response = await fetch('/orders/42/session', { method: 'POST' });
      const { token, group_payment_id } = await response.json();
      return { token, groupPaymentId: group_payment_id };
    },
${lines.join('')}    onComplete: (group) => console.log('held', group.id),
    onError: (error) => console.warn(error.message),
  });
  widget.mount('#pay');
</script>`;
}

/** Returns code that verifies a delivery without a library. */
export function verifySnippet(): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto';

function isGenuine(rawBody, header, secret) {
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false;
  const wanted = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, hex]) => Buffer.from(hex, 'hex'))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}`;
}
