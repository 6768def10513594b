import type { Answer } from '../app/ports.ts';

/** Ends a request early with the gateway's own error: nothing was tried, nothing is kept. */
export class Refused extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}
