/** Reports the height of a body, at first and after each change: its frame never scrolls by itself. */
export function reportHeight(body: HTMLElement, report: (px: number) => void): void {
  let reported = 0;
  new ResizeObserver(() => {
    const px = Math.ceil(body.getBoundingClientRect().height);
    if (px !== reported) report((reported = px));
  }).observe(body);
}
