/**
 * On the 3-D Secure page, when it stands in a frame: tells the page around when it is shown and when it is answered, and
 * lets that page, or Escape, refuse. It says nothing but that, so any page may hear it.
 */
const { parent } = window;

if (parent !== window) {
  const refuse = document.querySelector<HTMLButtonElement>('button[value="failed"]');
  parent.postMessage({ type: 'challenge', state: refuse ? 'shown' : 'answered' }, '*');
  window.addEventListener('message', (event: MessageEvent<{ type?: unknown } | null>) => {
    if (event.source === parent && event.data?.type === 'refuse') refuse?.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') refuse?.click();
  });
}
