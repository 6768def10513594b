import { describe, expect, it } from '@jest/globals';
import { CONNECT, READY } from '../../widget/src/protocol.ts';
import { connect } from './connect.ts';

const SHOP = 'https://shop.example';

/** The parts of a frame's window that the handshake uses. */
function frame() {
  const sent: { message: unknown; to: string }[] = [];
  const listeners = new Set<(event: MessageEvent) => void>();
  const parent = { postMessage: (message: unknown, to: string) => sent.push({ message, to }) };
  const here = {
    parent,
    addEventListener: (_: string, listener: (event: MessageEvent) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: MessageEvent) => void) => listeners.delete(listener),
  };
  const send = (event: object): void =>
    listeners.forEach((listener) =>
      listener({
        origin: SHOP,
        source: parent,
        data: { type: CONNECT },
        ports: [],
        ...event,
      } as unknown as MessageEvent),
    );
  return { here: here as unknown as Window, sent, send, listeners };
}

describe('the channel to a merchant’s page', () => {
  it('the channel to a merchant’s page is requested from the framing origin alone, never from any', () => {
    const { here, sent } = frame();
    void connect(SHOP, here);
    expect(sent).toEqual([{ message: { type: READY }, to: SHOP }]);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins alike', { origin: 'https://shop.example.evil.example' }],
    ['another window', { source: {} }],
    ['another message', { data: { type: 'hello' } }],
    ['no message at all', { data: null }],
    ['no channel', { ports: [] }],
  ])('the channel to a merchant’s page is not accepted from %s', async (_, forged) => {
    const { here, send, listeners } = frame();
    const port = connect(SHOP, here);
    const [theirs, ours] = ['theirs', 'ours'];
    send({ ports: [theirs], ...forged });
    send({ ports: [ours], data: { type: CONNECT, theme: { radius: 4 } } });
    expect(await port).toEqual({ port: ours, theme: { radius: 4 } });
    expect(listeners.size).toBe(0);
  });
});
