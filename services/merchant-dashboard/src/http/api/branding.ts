/**
 * GET /api/branding?mode=, PUT /api/branding {mode, brand_color} and
 * PUT /api/branding/logo {mode, logo: {media_type, content} | null} → Branding
 */
export type Branding = {
  /** `#rrggbb`; null for the colour of the platform. */
  readonly brand_color: string | null;
  /** The file of the logo, at `GET /api/logos/:file`; null when there is none. */
  readonly logo: string | null;
};

/** PUT /api/business-name {business_name} → BusinessName: the merchant's name in both modes. */
export type BusinessName = { readonly business_name: string };
