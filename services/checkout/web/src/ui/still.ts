/**
 * Keeps the height of an element while a mouse button is pressed. A gateway's frame grows when it loses the focus and shows
 * an error: the button below would move between press and release, and the browser would not report a click. Ends with
 * `signal`.
 */
export function keepHeightDuringPress(element: HTMLElement, signal: AbortSignal): void {
  const { style } = element;
  addEventListener(
    'pointerdown',
    ({ button }) => {
      if (button === 0) style.height = getComputedStyle(element).height;
    },
    { signal, capture: true },
  );
  // The click follows the release within the same task.
  const release = (): void => void setTimeout(() => (style.height = ''));
  addEventListener('pointerup', release, { signal, capture: true });
  addEventListener('pointercancel', release, { signal, capture: true });
}
