import { CONNECT, READY, type ToFrame, type ToPage } from './protocol.ts';

/**
 * A refused frame also loads, as an error page; an admitted one sends READY before its load event. The rest is for a busy machine, where the
 * two may arrive apart; a form that speaks later is shown all the same.
 */
const SPEAKS_WITHIN_MS = 750;

export type Frame = {
  readonly element: HTMLIFrameElement;
  say(message: ToFrame): void;
  close(): void;
};

/**
 * Opens the frame of `home`, the address of checkout, in the language and with the theme that the page wishes. Messages are accepted only from that origin and that very
 * frame, and sent only to it. `on.connect` is called again when the frame was loaded again.
 */
export function openFrame(
  home: string,
  locale: string | undefined,
  theme: object,
  on: {
    readonly connect: () => void;
    readonly message: (message: ToPage) => void;
    readonly silence: () => void;
  },
): Frame {
  const { origin: frameOrigin } = new URL(home);
  const element = document.createElement('iframe');
  let port: MessagePort | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const receive = ({ data, origin, source }: MessageEvent<{ type?: unknown } | null>): void => {
    if (origin !== frameOrigin || !source || source !== element.contentWindow || data?.type !== READY) return;
    clearTimeout(silence);
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = (event: MessageEvent<ToPage>) => on.message(event.data);
    element.contentWindow.postMessage({ type: CONNECT, theme }, frameOrigin, [channel.port2]);
    on.connect();
  };

  element.title = 'Payment';
  element.allow = 'payment';
  element.referrerPolicy = 'no-referrer';
  element.style.cssText = 'display:block;width:100%;height:480px;border:0;color-scheme:normal';
  const wishes = { origin: location.origin, ...(locale && { lang: locale }) };
  element.src = `${home}/embed/v1?${new URLSearchParams(wishes)}`;
  element.onload = () => {
    clearTimeout(silence);
    silence = port ? undefined : setTimeout(on.silence, SPEAKS_WITHIN_MS);
  };
  addEventListener('message', receive);

  return {
    element,
    say: (message) => port?.postMessage(message),
    close() {
      clearTimeout(silence);
      removeEventListener('message', receive);
      port?.close();
      element.remove();
    },
  };
}
