/** A run that cannot begin, for a reason that its caller can change. */
export class Refusal extends Error {}
