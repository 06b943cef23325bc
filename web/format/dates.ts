const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 22, 2026`, in the reader's time zone. */
export const shortDate = (iso: string) => short.format(new Date(iso))

const withTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** `Nov 22, 2026, 9:41 PM`, in the reader's time zone. */
export const dateTime = (iso: string) => withTime.format(new Date(iso))
