export type ServerSentEvent = { readonly event: string; readonly data: string };

/**
 * Reads the text of an event stream as it arrives, in pieces of any size. Skips comments, which servers send to
 * keep the connection open.
 */
export function eventReader(onEvent: (event: ServerSentEvent) => void): (piece: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];
  const take = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(take);
  };
}
