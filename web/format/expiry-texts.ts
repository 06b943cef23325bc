// The remaining time of an image as text. Days are calendar days in the reader's time zone.
import { dayMs, limits } from '../../contract/plain/limits.ts'
import { shortDate } from './dates.ts'

export interface ExpiryTexts {
  kept: string
  expired: string
  today: string
  tomorrow: string
  days: (days: number) => string
  weeks: (weeks: number) => string
  on: (date: string) => string
}

const maxDaysInWeeks = 30

/** @param expiresAt null: it never expires; so in the functions below */
export function expiryLabel(expiresAt: string | null, now: Date, texts: ExpiryTexts): string {
  if (expiresAt === null) return texts.kept
  const days = daysLeft(expiresAt, now)
  if (isExpired(expiresAt, now)) return texts.expired
  if (days === 0) return texts.today
  if (days === 1) return texts.tomorrow
  if (days <= limits.expiryNoticeDays) return texts.days(days)
  if (days <= maxDaysInWeeks) return texts.weeks(Math.floor(days / 7))
  return texts.on(shortDate(expiresAt))
}

/** Within the notice of 7 days, or past: shown in red. */
export const expiresSoon = (expiresAt: string | null, now: Date) => daysLeft(expiresAt, now) <= limits.expiryNoticeDays

/** Within 2 days, or past: shown in red in the notifications, where every image expires soon. */
export const isUrgent = (expiresAt: string | null, now: Date) => daysLeft(expiresAt, now) <= limits.expiryUrgentDays

export const isExpired = (expiresAt: string | null, now: Date) => expiryMs(expiresAt) <= now.getTime()

/** Infinity: never. */
export const expiryMs = (expiresAt: string | null) => (expiresAt === null ? Infinity : Date.parse(expiresAt))

/** Rounded, because a day has 23 or 25 hours when daylight saving changes. */
function daysLeft(expiresAt: string | null, now: Date): number {
  if (expiresAt === null) return Infinity
  return Math.round((startOfDay(new Date(expiresAt)) - startOfDay(now)) / dayMs)
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
