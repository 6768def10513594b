/**
 * What a test throws that waited for something and gave up. The run asks such tests again, alone, when nothing else went
 * wrong: it knows them by this name, which a browser's waits throw too.
 */
export class TimeoutError extends Error {
  static {
    // On the prototype, so that the stack begins with it.
    this.prototype.name = 'TimeoutError';
  }
}
