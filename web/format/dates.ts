const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 22, 2026`, in the reader's time zone. */
export const shortDate = (iso: string) => short.format(new Date(iso))

const withTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const withSeconds = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const timeOnly = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `Nov 22, 2026, 4:05 PM`, in the reader's time zone. */
export const dateAndTime = (iso: string) => withTime.format(new Date(iso))

/** `Nov 22, 2026, 4:05:09 PM`, in the reader's time zone. */
export const exactTime = (iso: string) => withSeconds.format(new Date(iso))

/** `4:05 PM`, in the reader's time zone. */
export const timeOfDay = (at: string | number) => timeOnly.format(new Date(at))

/** `Nov 22`, of a UTC day such as `2026-11-22`. */
export const dayOfYear = (day: string) => utcDay.format(new Date(day))
