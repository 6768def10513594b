/** Tells how tall a body is, at first and whenever that changes: its frame never scrolls by itself. */
export function tellHeight(body: HTMLElement, tell: (px: number) => void): void {
  let told = 0;
  new ResizeObserver(() => {
    const px = Math.ceil(body.getBoundingClientRect().height);
    if (px !== told) tell((told = px));
  }).observe(body);
}
