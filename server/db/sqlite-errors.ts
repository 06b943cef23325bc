// What SQLite's errors mean, whichever of the two drivers threw them.
import { DatabaseDamaged } from './damaged.ts'

/** Result codes: https://www.sqlite.org/rescode.html */
const codes = { busy: 5, corrupt: 11, notADatabase: 26 }

/** Statements that answer rows throw without their code (@photostructure/sqlite 1.2.1): SQLite's own words tell it. */
const codeByText: readonly [text: string, code: number][] = [
  ['database is locked', codes.busy],
  ['database table is locked', 6],
  ['disk I/O error', 10],
  ['malformed', codes.corrupt],
  ['database or disk is full', 13],
  ['file is not a database', codes.notADatabase],
]

/** The same error with its `errcode`, or the one that names the damaged file. */
export function explained(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error
  const known = error as Error & { errcode?: number }
  known.errcode ??= codeByText.find(([text]) => error.message.includes(text))?.[1]
  const code = primary(known.errcode)
  if (code !== codes.corrupt && code !== codes.notADatabase) return error
  return new DatabaseDamaged(path, error.message, { cause: error })
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && primary((error as { errcode?: number }).errcode) === codes.busy
}

/** The low byte: the rest says where it happened. */
const primary = (errcode: number | undefined) => (errcode === undefined ? undefined : errcode & 0xff)
