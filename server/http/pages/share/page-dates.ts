// Dates and countdowns on pages that the server writes, in the language of the reader.
import { dayMs } from '../../../../contract/plain/limits.ts'
import type { ImageRow } from '../../../domain/images/image-row.ts'
import { type Language, textsIn } from './share-texts.ts'

/** In UTC: the server does not know the time zone of the reader. */
export const dateOf = (ms: number, language: Language) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(ms)

const longestCountdownDays = 60
const units = [
  ['day', dayMs],
  ['hour', dayMs / 24],
  ['minute', dayMs / 24 / 60],
] as const

export function expiryOf({ expires_at: expiresAt }: ImageRow, language: Language, nowMs: number): string {
  const text = textsIn(language)
  const leftMs = expiresAt - nowMs
  if (leftMs > longestCountdownDays * dayMs) return text.expiresOn(dateOf(expiresAt, language))
  const [unit, ms] = units.find(([, unitMs]) => leftMs >= unitMs) ?? units[2]
  const count = Math.max(1, Math.round(leftMs / ms))
  return text.expires(new Intl.RelativeTimeFormat(language).format(count, unit))
}
