const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 22, 2026`, in the reader's time zone. */
export const shortDate = (iso: string) => short.format(new Date(iso))

const withTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const withSeconds = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const timeOnly = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `2026-11-22`, in the reader's time zone, as a date field has it. */
export function localDay(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The last millisecond of such a day, in UTC milliseconds; NaN for no date. */
export const endOfLocalDay = (day: string) => Date.parse(`${day}T23:59:59.999`)

/** `Nov 22, 2026, 4:05 PM`, in the reader's time zone. */
export const dateAndTime = (iso: string) => withTime.format(new Date(iso))

/** `Nov 22, 2026, 4:05:09 PM`, in the reader's time zone. */
export const exactTime = (iso: string) => withSeconds.format(new Date(iso))

/** `4:05 PM`, in the reader's time zone. */
export const timeOfDay = (at: string | number) => timeOnly.format(new Date(at))

/** `Nov 22`, of a UTC day such as `2026-11-22`. */
export const dayOfYear = (day: string) => utcDay.format(new Date(day))
