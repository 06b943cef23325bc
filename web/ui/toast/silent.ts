/** Of a toast that repeats what the page says already: a screen reader says it once. */
export const silent = { role: 'status', 'aria-live': 'off' } as const
