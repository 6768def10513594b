/**
 * The script of the 3-D Secure page when it is in a frame: posts a message to the parent page when it is shown and when
 * it is answered, and lets the parent page, or Escape, refuse. The messages contain nothing else, so any page may receive
 * them.
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
