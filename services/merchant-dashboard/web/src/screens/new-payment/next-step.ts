/** The state of a navigation to the form of a new payment as the step after another one: the form then has the focus. */
export const AS_NEXT_STEP = { isNextStep: true } as const;

/** Returns whether the page was opened as the step after another one. */
export function isNextStep(state: unknown): boolean {
  return (state as Partial<typeof AS_NEXT_STEP> | null)?.isNextStep === true;
}
