const LOOK_EVERY_MS = 500;

/**
 * Calls `onGone`, once, when npm has ended, where npm started this process: a signal that ends npm does not always
 * reach us. Without npm the process runs until it is asked to stop.
 */
export function watchParent(onGone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    // Another process adopts a process whose parent has ended.
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}
