/** Thrown by a test that waited too long; its name begins the stack, as in the errors of a browser's waits. */
export class TimeoutError extends Error {
  static {
    // On the prototype, so that the stack begins with it.
    this.prototype.name = 'TimeoutError';
  }
}
