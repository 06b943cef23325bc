/** What `doctor` has found. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  text: string
  /** What to do. */
  advice?: string
}

export const ok = (text: string): Finding[] => [{ level: 'ok', text }]
export const warning = (text: string, advice: string): Finding[] => [{ level: 'warning', text, advice }]
export const problem = (text: string, advice?: string): Finding[] => [
  { level: 'problem', text, ...(advice !== undefined && { advice }) },
]
