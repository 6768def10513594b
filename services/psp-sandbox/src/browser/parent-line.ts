/** A message to or from the page around a frame. */
export type Message = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The message channel between a frame and the page around it. */
export type ParentLine = {
  send(message: Message): void;
  /**
   * Receives messages of that page only: those of other origins, and of other windows of the same origin, are
   * ignored.
   */
  listen(onMessage: (message: Message) => void): void;
};

/** Opens the channel to the page around this one, which must have that origin. */
export function openLine(origin: string): ParentLine {
  const { parent } = window;
  return {
    send: (message) => parent.postMessage(message, origin),
    listen(onMessage) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source === parent && event.origin === origin && isMessage(event.data))
          onMessage(event.data);
      });
    },
  };
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';

/** Returns the origin that the frame's address names; undefined when it names none that could show a frame. */
export function readOrigin(parameters: URLSearchParams): string | undefined {
  const url = URL.parse(parameters.get('origin') ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
