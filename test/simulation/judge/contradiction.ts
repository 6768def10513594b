/** A violation, and where it was found. */
export type Contradiction = { readonly promise: string; readonly about: string };

export class Contradictions {
  readonly found: Contradiction[] = [];

  /** Notes a contradiction unless the promise holds. */
  must(holds: boolean, promise: string, about: string): void {
    if (!holds && this.found.length < 20) this.found.push({ promise, about });
  }
}
