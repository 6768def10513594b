/** Something two parties see differently, in a sentence that names it. */
export type Contradiction = string;
