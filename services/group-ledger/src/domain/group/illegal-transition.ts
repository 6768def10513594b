/** Thrown when a decision requests a transition that its machine does not have: a bug of ours. */
export class IllegalTransition extends Error {
  constructor(machine: string, from: string, trigger: string) {
    super(`${machine}: nothing leads from ${from} by ${trigger}`);
    this.name = 'IllegalTransition';
  }
}
