// The report of an import: CSV (RFC 4180) with a line for each account, picture, album and link.
import { open } from 'node:fs/promises'
import { csvCell } from '../domain/shared/csv-cell.ts'

const columns = ['result', 'kind', 'id', 'name', 'owner', 'old_path', 'new_path', 'problem', 'note'] as const

export interface ReportLine extends Partial<Record<(typeof columns)[number], string>> {
  kind: 'user' | 'image' | 'album' | 'link'
  result: 'imported' | 'exists' | 'problem'
}

export interface Report {
  write: (line: ReportLine) => Promise<void>
  close: () => Promise<void>
}

/** Replaces the file. */
export async function openReport(path: string): Promise<Report> {
  const file = await open(path, 'w', 0o600)
  const write = (cells: string[]) => file.write(`${cells.map(csvCell).join(',')}\r\n`)
  await write([...columns])
  return {
    async write(line) {
      await write(columns.map((column) => line[column] ?? ''))
    },
    close: () => file.close(),
  }
}
