import { CONNECT, READY } from '../../widget/src/protocol.ts';

/**
 * Announces to the merchant's page that the frame is ready, and returns the channel that the page opens. `origin`
 * is the one that the server allowed to frame this page, and the browser enforces it. Messages go to and come from
 * no other origin.
 */
export function connect(origin: string, here: Window = window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const receive = ({
      origin: from,
      source,
      data,
      ports,
    }: MessageEvent<{ type?: unknown } | null>): void => {
      const [port] = ports;
      if (from !== origin || source !== here.parent || data?.type !== CONNECT || !port) return;
      here.removeEventListener('message', receive);
      resolve(port);
    };
    here.addEventListener('message', receive);
    here.parent.postMessage({ type: READY }, origin);
  });
}
