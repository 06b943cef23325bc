const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const minuteMs = 60_000
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const

/** `3 hours ago`, `yesterday`; `now` below a minute and for times in the future. */
export function ago(iso: string, now: number): string {
  const passedMs = now - Date.parse(iso)
  const [unit, ms] = units.find((candidate) => passedMs >= candidate[1]) ?? []
  return unit === undefined ? relativeTime.format(0, 'second') : relativeTime.format(-Math.floor(passedMs / ms), unit)
}
