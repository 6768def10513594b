/** What a test throws that waited for something and gave up; its name begins the stack, as that of a browser's waits does. */
export class TimeoutError extends Error {
  static {
    // On the prototype, so that the stack begins with it.
    this.prototype.name = 'TimeoutError';
  }
}
