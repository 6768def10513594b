import { encryptField, fromBase64, type AppKey } from './encrypt-field.ts';
import { openCardFrame, type Card, type CardFrame, type Message } from '@gp/psp-sandbox/browser';

let key: Promise<AppKey> | undefined;

/** gateway_b's card field: gives the parent page the card encrypted for the app, and nothing else of it. */
const frame = openCardFrame((opened, message) => {
  if (message.type === 'submit') void submit(opened, message);
});
if (frame) void begin(frame);

async function begin(opened: CardFrame): Promise<void> {
  try {
    await loadKey(opened);
    opened.line.send({ type: 'ready' });
  } catch {
    sendFault(opened, null, 'key_unavailable');
  }
}

async function submit(opened: CardFrame, { id }: Message): Promise<void> {
  const { fields, line } = opened;
  const read = fields.read();
  if ('fault' in read) return line.send({ type: 'incomplete', id, error: read.fault });
  const app = await loadKey(opened).catch(() => undefined);
  if (app === undefined) return sendFault(opened, id, 'key_unavailable');
  try {
    line.send({ type: 'encrypted', id, card: await encrypted(read.card, app) });
  } catch {
    sendFault(opened, id, 'encryption_failed');
  }
}

const messages = {
  key_unavailable: 'The key to encrypt the card with could not be had.',
  encryption_failed: 'This browser could not encrypt the card.',
} as const;

function sendFault({ line }: CardFrame, id: unknown, code: keyof typeof messages): void {
  line.send({ type: 'error', id, code, message: messages[code] });
}

async function encrypted({ number, month, year, cvc }: Card, app: AppKey) {
  const [encrypted_card_number, encrypted_security_code] = await Promise.all([
    encryptField(number, app),
    encryptField(cvc, app, 'card'),
  ]);
  return { encrypted_card_number, encrypted_security_code, expiration_month: month, expiration_year: year };
}

/** Returns the key, fetched once; after a failure it is fetched again. */
function loadKey({ parameters }: CardFrame): Promise<AppKey> {
  key ??= fetchKey(parameters.get('team') ?? '', parameters.get('app') ?? '').catch((error: unknown) => {
    key = undefined;
    throw error;
  });
  return key;
}

async function fetchKey(team: string, app: string): Promise<AppKey> {
  const path = `keys/${encodeURIComponent(team)}/apps/${encodeURIComponent(app)}?context=default`;
  const response = await fetch(path, { credentials: 'omit' });
  if (!response.ok) throw new Error(`the key server answered ${response.status}`);
  const keys = (await response.json()) as Record<string, unknown>;
  return {
    compressed: fromBase64(String(keys['ecdhP256Key'])),
    uncompressed: fromBase64(String(keys['ecdhP256KeyUncompressed'])),
    isDebug: keys['isDebugMode'] === true,
  };
}
