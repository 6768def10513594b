import { eventReader, type ServerSentEvent } from './sse.ts';

function read(pieces: readonly string[]): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const take = eventReader((event) => events.push(event));
  pieces.forEach((piece) => take(piece));
  return events;
}

describe('an event stream', () => {
  const text = ': hello\n\nevent: slots\ndata: {"rev":1}\nid: 1\n\ndata: a\ndata: b\n\n';
  const events = [
    { event: 'slots', data: '{"rev":1}' },
    { event: 'message', data: 'a\nb' },
  ];

  it('an event stream is read whole', () => expect(read([text])).toEqual(events));

  it('an event stream is read the same in pieces of any size', () => {
    for (let size = 1; size < 12; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(read(pieces)).toEqual(events);
    }
  });

  it('an event stream may end its lines with carriage returns, also where a piece is cut', () => {
    expect(read(['data: a\r', '\n\r\n'])).toEqual([{ event: 'message', data: 'a' }]);
  });

  it('an event stream has no event before its empty line has come', () =>
    expect(read(['data: a\n'])).toEqual([]));
});
