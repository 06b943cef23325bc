// What `upload` prints: the link or the failure of each file, a summary, and what is left out.
import { basename, extname } from 'node:path'
import { RequestFailed } from '../client/index.ts'
import type { Task } from '../server/command.ts'
import { linkFormats } from './link-formats.ts'
import type { Progress } from './progress.ts'
import type { HostedImage } from './upload-journal.ts'
import type { Settings } from './upload-options.ts'

export type Outcome = { file: string } & (
  | { status: 'uploaded' | 'already uploaded'; image: HostedImage }
  | { status: 'failed'; error: Error }
  | { status: 'not tried' }
)

interface Printing {
  settings: Settings
  progress: Progress
  print: Task['print']
}

export function report({ settings, progress, print }: Printing, outcome: Outcome): void {
  const { file, status } = outcome
  progress.write(() => {
    if (settings.isJson) print(JSON.stringify(jsonOf(outcome)))
    else if (status === 'failed') process.stderr.write(`${file}: ${outcome.error.message}\n`)
    else linkOf(outcome, settings).forEach(print)
  })
}

function jsonOf(outcome: Outcome): object {
  if (outcome.status !== 'failed') return outcome
  const { file, status, error } = outcome
  return { file, status, error: error.message, ...(error instanceof RequestFailed && { code: error.code }) }
}

export const linkOf = (outcome: Outcome, { format }: Settings) =>
  'image' in outcome ? [linkFormats[format](outcome.image)] : []

const maxNamedTypes = 8

/** Photographs of a kind that no server takes must not be missed. */
export function leftOutText(others: string[]): string {
  const types = [...new Set(others.map((path) => extname(path).toLowerCase() || basename(path)))].toSorted()
  const named = types.slice(0, maxNamedTypes).join(', ') + (types.length > maxNamedTypes ? ' ...' : '')
  return `Left out: ${others.length} ${others.length === 1 ? 'file' : 'files'} of other types (${named}).`
}

export function summaryOf(outcomes: Outcome[]): string {
  if (outcomes.length === 0) return 'There are no images to upload.'
  const counts = (['uploaded', 'already uploaded', 'failed', 'not tried'] as const).map((status) => ({
    status,
    count: outcomes.filter((outcome) => outcome.status === status).length,
  }))
  const parts = counts.filter(({ count }) => count > 0).map(({ status, count }) => `${count} ${status}`)
  const isIncomplete = outcomes.some(({ status }) => status === 'not tried')
  return `${parts.join(', ')}.${isIncomplete ? ' Run the same command again to upload the rest.' : ''}`
}
