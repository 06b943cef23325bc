// Performs the file operations that the self-test checks on the given folder, and is killed in the middle.
import { link, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The product's own driver is the one to watch. */
const { loadDriver } = await import(new URL('../../dist/server/db/sqlite.js', import.meta.url).href)
const folder = process.argv[2] ?? ''
const at = (/** @type {string} */ name) => join(folder, name)

/** @param {string} path */
async function sync(path) {
  const file = await open(path, 'r')
  await file.sync()
  await file.close()
}

const Driver = await loadDriver()
/** @param {string} name @param {'FULL' | 'OFF'} synchronous */
function commitInto(name, synchronous) {
  const database = new Driver(at(name))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (n)`)
  database.exec(`PRAGMA synchronous = ${synchronous}; INSERT INTO t VALUES (1)`)
  return database
}
const open1 = commitInto('full.sqlite', 'FULL')
const open2 = commitInto('off.sqlite', 'OFF')

await writeFile(at('unsynced'), 'these bytes were not synced')
await writeFile(at('synced'), 'these bytes were synced')
await sync(at('synced'))
await link(at('synced'), at('linked'))
await sync(folder)

await writeFile(at('nameless'), 'synced, but its name was not')
await sync(at('nameless'))
await link(at('synced'), at('linked-later'))
await rename(at('old-name'), at('new-name'))
await rm(at('deleted'))
const overwritten = await open(at('overwritten'), 'r+')
await overwritten.write('new', 0)
await overwritten.close()

// So that neither database is closed before.
if (open1.isOpen && open2.isOpen) process.kill(process.pid, 'SIGKILL')
