/** The bounds of a merchant's logo: bytes of the file, and pixels of each side. */
export const LOGO_LIMITS = { bytes: 65_536, leastSide: 16, mostSide: 1_024 } as const;
