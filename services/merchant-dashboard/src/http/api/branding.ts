/** GET /api/branding?mode= and PUT /api/branding {mode, brand_color} → Branding */
export type Branding = {
  /** `#rrggbb`; null for the colour of the platform. */
  readonly brand_color: string | null;
};
