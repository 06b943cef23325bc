const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 22, 2026`, in the reader's time zone. */
export const shortDate = (iso: string) => short.format(new Date(iso))
