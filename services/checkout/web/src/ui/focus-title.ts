/** Moves the focus to the title of the scene, and shows it: what had the focus is gone. */
export function focusTitle(): void {
  const title = document.getElementById('step-title');
  title?.focus({ preventScroll: true });
  title?.scrollIntoView({ block: 'nearest' });
}
