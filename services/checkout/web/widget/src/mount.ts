import type { CompletedGroup, GroupPayError, Handle, Options, Session } from '../v1.d.ts';
import { goToBank } from './bank.ts';
import { openFrame } from './frame.ts';
import { fault, parseSession } from './options.ts';
import type { ToPage } from './protocol.ts';

const mounted = new WeakSet<Element>();

/** Shows the payment form of `home`, the address of checkout, in an element. */
export function mountForm(element: Element, options: Options, home: string): Handle {
  if (mounted.has(element)) throw fault('the element has a payment form already');
  let isOpen = true;
  let session: Promise<Session> | undefined;
  let bankOrigins: readonly string[] = [];
  let isReady = false;

  const { ready, complete, fail } = reporter(element, options);

  const ask = (): Promise<Session> => {
    // An exception of createSession is handled like a failed session.
    session = new Promise((resolve) => resolve(options.createSession())).then(parseSession);
    session.catch(() => undefined);
    return session;
  };
  const bring = async (asked: Promise<Session>): Promise<void> => {
    const { payerEmail, theme = {} } = options;
    const [pageUrl = ''] = location.href.split('#');
    try {
      const { token, groupPaymentId } = await asked;
      frame.say({ type: 'session', token, groupPaymentId, payerEmail, theme, pageUrl });
    } catch (error) {
      if (!isOpen) return;
      const failure = error instanceof Error ? error : fault('createSession failed');
      frame.say({ type: 'no-session', message: failure.message });
      fail(failure);
    }
  };

  const receive = (message: ToPage): void => {
    switch (message.type) {
      case 'opened':
        ({ bankOrigins } = message);
        // A frame that was loaded again opens once more.
        if (!isReady) ready();
        isReady = true;
        return;
      case 'height':
        frame.element.style.height = `min(${message.px}px, 20000px)`;
        return;
      case 'refresh':
        return void bring(ask());
      case 'complete':
        return complete(message.group);
      case 'error':
        return fail(Object.assign(new Error(message.message), { code: message.code }));
      case 'bank':
        try {
          return goToBank(message.form, bankOrigins);
        } catch (error) {
          return fail(error as Error);
        }
    }
  };

  // The frame reads `auto` by it.
  const pageScheme = getComputedStyle(element).colorScheme;
  const frame = openFrame(
    home,
    options.locale,
    { ...options.theme, pageScheme },
    {
      connect: () => void bring(session ?? ask()),
      message: receive,
      silence: () =>
        fail(fault(`the form did not load. Is ${location.origin} among your registered origins?`)),
    },
  );
  mounted.add(element);
  element.append(frame.element);
  void ask();

  return {
    unmount() {
      if (!isOpen) return;
      isOpen = false;
      frame.close();
      mounted.delete(element);
    },
  };
}

/** Emits events before it calls callbacks: a callback that throws does not stop the events. */
function reporter(element: Element, { onReady, onComplete, onError }: Options) {
  const emit = (name: string, detail?: unknown): boolean =>
    element.dispatchEvent(new CustomEvent(`service:${name}`, { detail, bubbles: true, cancelable: true }));
  return {
    ready: () => (emit('ready'), onReady?.()),
    complete: (group: CompletedGroup) => (emit('complete', group), onComplete?.(group)),
    fail: (error: GroupPayError) => (
      emit('error', { message: error.message, code: error.code }),
      onError?.(error)
    ),
  };
}
