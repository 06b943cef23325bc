// Colour profiles are retained, because colours without them are wrong; but only what is a profile at all.

const headerBytes = 128

/**
 * The profile without anything behind its declared end, or undefined if this is none (ICC.1:2022 §7.2: size at 0,
 * 'acsp' at 36). What the profile says is left to the colour library, which runs in the decoder process.
 */
export function validIcc(profile: Buffer, maxBytes: number): Buffer | undefined {
  if (profile.length < headerBytes || profile.toString('latin1', 36, 40) !== 'acsp') return undefined
  const size = profile.readUInt32BE(0)
  if (size < headerBytes || size > profile.length || size > maxBytes) return undefined
  return profile.subarray(0, size)
}
