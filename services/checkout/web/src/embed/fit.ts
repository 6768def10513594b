/** Reports the height of a body, at first and after each change: its frame never scrolls by itself. */
export function tellHeight(body: HTMLElement, tell: (px: number) => void): void {
  let told = 0;
  new ResizeObserver(() => {
    const px = Math.ceil(body.getBoundingClientRect().height);
    if (px !== told) tell((told = px));
  }).observe(body);
}
