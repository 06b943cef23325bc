// Who remembers something of a row of `images` is told when it changes, whoever changes it: no function can forget to.
import type { DatabaseSync as Database } from 'node:sqlite'

export interface ImageChanges {
  /** Calls `listener` with the id of each row that is changed or deleted here; without one when any row may have changed. */
  onChange(listener: (id?: string) => void): void
  /** Before a memory is trusted: tells of what other processes have written. @throws when the file cannot be asked */
  look(): void
}

/**
 * By a trigger that only this connection has, so that it is no part of the schema. It fires before the statement ends, and also
 * for what is rolled back afterwards: then too much is forgotten.
 * @param database whose table `images` is there and is not replaced any more
 */
export function watchImages(database: Database): ImageChanges {
  const listeners: ((id?: string) => void)[] = []
  const tell = (id?: string) => {
    for (const listener of listeners) listener(id)
  }
  database.function('image_changed', (id) => {
    tell(id as string)
    return null
  })
  for (const change of ['update', 'delete']) {
    database.exec(
      `create temp trigger tell_${change} after ${change} on images begin select image_changed(old.id); end`,
    )
  }
  // Commands beside the server and the operator's own tools write to the same file: 2.7 µs tell whether one has.
  const version = database.prepare('pragma data_version')
  const read = () => Number((version.get() as { data_version: number }).data_version)
  let known = read()
  let hasLooked = false
  return {
    onChange: (listener) => void listeners.push(listener),
    look() {
      // Once a turn of the event loop: what arrives in one was sent before this process could have answered any of it.
      if (hasLooked) return
      const current = read()
      hasLooked = true
      setImmediate(() => {
        hasLooked = false
      })
      if (current === known) return
      known = current
      tell()
    },
  }
}
