import { CONNECT, READY } from '../../widget/src/protocol.ts';

export type PageChannel = { readonly port: MessagePort; readonly theme: unknown };

/**
 * Announces to the merchant's page that the frame is ready, and returns the channel that the page opens, with
 * the theme that it sends along: not checked, and undefined from loaders before 1.3.0. `origin` is the one that the server allowed to frame this page, and the browser enforces it. Messages go to and come from
 * no other origin.
 */
export function connect(origin: string, here: Window = window): Promise<PageChannel> {
  return new Promise((resolve) => {
    const receive = ({
      origin: from,
      source,
      data,
      ports,
    }: MessageEvent<{ type?: unknown; theme?: unknown } | null>): void => {
      const [port] = ports;
      if (from !== origin || source !== here.parent || data?.type !== CONNECT || !port) return;
      here.removeEventListener('message', receive);
      resolve({ port, theme: data.theme });
    };
    here.addEventListener('message', receive);
    here.parent.postMessage({ type: READY }, origin);
  });
}
