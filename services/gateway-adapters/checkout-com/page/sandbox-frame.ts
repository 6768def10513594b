import type { CardLooks } from '@gp/checkout-web/gateways';
import type { EncryptedCard, EncryptedField, FieldIds } from './encrypted-field.ts';

/** The time limit for a frame to be ready, and for it to encrypt, ms. */
const READY_MS = 20_000;
const ANSWER_MS = 30_000;

type FromFrame =
  | { readonly type: 'ready' }
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'encrypted'; readonly id: string; readonly card: EncryptedCard }
  | { readonly type: 'incomplete'; readonly id: string }
  | { readonly type: 'error'; readonly id: string | null; readonly code: string };

/** The card field of test mode: a page of its own in a frame, which our scripts cannot read. */
export function frameField(address: string, ids: FieldIds): EncryptedField {
  const origin = new URL(address).origin;
  const frame = document.createElement('iframe');
  const gone = new AbortController();
  let onMessage: (message: FromFrame) => void = () => undefined;
  const post = (message: Record<string, unknown>): void => frame.contentWindow?.postMessage(message, origin);

  const listen = (): void =>
    addEventListener(
      'message',
      ({ source, origin: from, data }: MessageEvent<FromFrame>) => {
        if (source !== frame.contentWindow || from !== origin) return;
        if (data.type === 'resize') frame.height = String(data.height);
        onMessage(data);
      },
      { signal: gone.signal },
    );

  /** Waits for the message that responds; rejects when none comes. */
  const awaitAnswer = <T>(ms: number, pick: (message: FromFrame) => T | undefined | Error): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no card field')), ms);
      onMessage = (message) => {
        const picked = pick(message);
        if (picked === undefined) return;
        clearTimeout(timer);
        if (picked instanceof Error) reject(picked);
        else resolve(picked);
      };
    });

  return {
    async mount(place, looks) {
      frame.src = buildFrameAddress(address, ids, looks);
      frame.title = place.dataset['title'] ?? '';
      frame.className = 'card-frame';
      listen();
      const ready = awaitAnswer(READY_MS, (message) => {
        if (message.type === 'ready') return true;
        return message.type === 'error' ? new Error(message.code) : undefined;
      });
      place.replaceChildren(frame);
      await ready;
    },
    read() {
      const id = crypto.randomUUID();
      const answer = awaitAnswer<{ card: EncryptedCard | undefined }>(ANSWER_MS, (message) => {
        if (!('id' in message) || message.id !== id) return undefined;
        if (message.type === 'encrypted') return { card: message.card };
        return message.type === 'incomplete' ? { card: undefined } : new Error(message.code);
      });
      post({ type: 'submit', id });
      return answer.then(({ card }) => card);
    },
    unmount() {
      gone.abort();
      frame.remove();
    },
  };
}

function buildFrameAddress(address: string, ids: FieldIds, { locale, style, isDark }: CardLooks): string {
  const url = new URL(address);
  const settings = {
    team: ids.card_field_team_id,
    app: ids.card_field_app_id,
    origin: location.origin,
    locale,
    scheme: isDark ? 'dark' : 'light',
    color: style.color,
    background: style.background,
    placeholder: style.placeholder,
    danger: style.danger,
    accent: style.accent,
  };
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return url.href;
}
