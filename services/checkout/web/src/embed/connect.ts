import { CONNECT, READY } from '../../widget/src/protocol.ts';

/**
 * Tells the merchant's page that the frame listens, and answers the channel that it opens. `origin` is the one that the
 * server let frame this: the browser has made sure that the page around is of it. Nobody else is told or heard.
 */
export function connect(origin: string, here: Window = window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const hear = ({ origin: from, source, data, ports }: MessageEvent<{ type?: unknown } | null>): void => {
      const [port] = ports;
      if (from !== origin || source !== here.parent || data?.type !== CONNECT || !port) return;
      here.removeEventListener('message', hear);
      resolve(port);
    };
    here.addEventListener('message', hear);
    here.parent.postMessage({ type: READY }, origin);
  });
}
