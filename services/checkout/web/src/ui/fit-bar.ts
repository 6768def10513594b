/** The part of a screen's height that the bar may take; a taller one would leave too little to choose from. */
const MOST = 1 / 4;
/** What stays free around an element that is scrolled to, px. */
const GAP_PX = 16;

let watcher: ResizeObserver | undefined;

/**
 * Keeps what has the focus above the bar at the bottom of the screen, however tall its texts make the bar. A bar that would
 * take more than its part of the screen stays at the end of the form. Called with the bar, and with null when it goes.
 */
export function fitBar(bar: HTMLElement | null): void {
  watcher?.disconnect();
  if (!bar) return;
  watcher = new ResizeObserver(() => {
    const { offsetHeight: height, style } = bar;
    const fits = height <= innerHeight * MOST;
    style.position = fits ? '' : 'static';
    document.documentElement.style.scrollPaddingBottom = `${GAP_PX + (fits ? height : 0)}px`;
  });
  watcher.observe(bar);
}
