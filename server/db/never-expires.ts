/**
 * `images.expires_at` of an image that never expires: the latest time of a Date, so that every index, sweep and comparison with
 * the clock treats it as an image that expires late.
 */
export const keptExpiry = 8_640_000_000_000_000

/** As the API has it. @param expiresAt UTC milliseconds */
export const expiryText = (expiresAt: number): string | null =>
  expiresAt === keptExpiry ? null : new Date(expiresAt).toISOString()
