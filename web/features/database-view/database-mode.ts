// JSON or GUI: how the table and the panel of the database view show values, in this browser.
import { readStored, writeStored } from '../../model/browser-storage.ts'
import { createStore, useStore } from '../../model/store.ts'

export type DatabaseMode = 'json' | 'gui'

const key = 'database-mode'
const mode = createStore<DatabaseMode>(
  typeof localStorage !== 'undefined' && readStored(key) === 'gui' ? 'gui' : 'json',
)
export const useDatabaseMode = () => useStore(mode)

export function setDatabaseMode(next: DatabaseMode): void {
  writeStored(key, next === 'json' ? null : next)
  mode.set(next)
}
