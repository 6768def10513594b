/** How much history a part makes. */
export type HistoryPlan = {
  /** The same seed draws the same groups, payers and troubles; only their meeting differs. */
  readonly seed: number;
  readonly groups: number;
  readonly maxSlots: number;
  /** People who pay at the same time. */
  readonly payers: number;
  /** How long new groups are made and things go wrong. */
  readonly troubleMs: number;
  /** From one kill to the next. */
  readonly killPauseMs: readonly [number, number];
  /** From one journey in time to the next. */
  readonly travelPauseMs: readonly [number, number];
  /** How long impatient groups live. */
  readonly lifeSeconds: readonly [number, number];
  /** How long the platform may take to come to rest once nothing goes wrong any more. */
  readonly restMs: number;
};

/** The plan of each part in every build, which plays two of them: two cores are busy with both for about three minutes. */
export const shortPlan: HistoryPlan = {
  seed: 1,
  groups: 30,
  maxSlots: 10,
  payers: 24,
  troubleMs: 27_500,
  killPauseMs: [3_000, 6_000],
  travelPauseMs: [2_000, 5_000],
  lifeSeconds: [6, 25],
  restMs: 150_000,
};

/** The plan that is run by hand before a release. */
export const longPlan = (minutes: number, seed: number): HistoryPlan => ({
  seed,
  groups: 200 * Math.max(1, Math.ceil(minutes / 5)),
  maxSlots: 30,
  payers: 64,
  troubleMs: minutes * 60_000,
  killPauseMs: [2_000, 8_000],
  travelPauseMs: [2_000, 10_000],
  lifeSeconds: [10, 90],
  restMs: 600_000,
});
