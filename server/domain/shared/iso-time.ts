// Times of rows, UTC milliseconds, as the API writes them.
export const isoTime = (at: number): string => new Date(at).toISOString()

export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))
