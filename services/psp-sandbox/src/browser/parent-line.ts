/** A message, to or from the page around a frame. */
export type Message = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The conversation of a frame with the page around it. */
export type ParentLine = {
  send(message: Message): void;
  /** Hears that page and nobody else: another origin, and another window of the same one, are not listened to. */
  listen(hear: (message: Message) => void): void;
};

/** Opens the line to the page around this one, which has to be of that origin. */
export function openLine(origin: string): ParentLine {
  const { parent } = window;
  return {
    send: (message) => parent.postMessage(message, origin),
    listen(hear) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source === parent && event.origin === origin && isMessage(event.data)) hear(event.data);
      });
    },
  };
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';

/** The origin that the frame's address names; undefined when it names none that could show a frame. */
export function originIn(parameters: URLSearchParams): string | undefined {
  const url = URL.parse(parameters.get('origin') ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
