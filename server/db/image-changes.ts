// Cache invalidation by changed rows of `images` and statuses of `users`, independent of which
// function changes them.
import type { DatabaseSync as Database } from 'node:sqlite'

export type ImageChanges = ReturnType<typeof watchImages>

/**
 * Watches by a temporary trigger, which belongs to this connection and not to the schema. It fires
 * before the statement ends, and also for changes that are rolled back later: then too much is
 * invalidated.
 * @param database in which the tables exist and are not replaced later
 */
export function watchImages(database: Database) {
  const listeners: ((id?: string) => void)[] = []
  const notify = (id?: string) => {
    for (const listener of listeners) listener(id)
  }
  database.function('image_changed', (id) => {
    notify((id as string | null) ?? undefined)
    return null
  })
  database.exec('create temp trigger invalidate_delete after delete on images begin select image_changed(old.id); end')
  // The number of views changes every few seconds, and no cached response depends on it.
  database.exec(
    `create temp trigger invalidate_update after update on images when old.views = new.views
     begin select image_changed(old.id); end`,
  )
  // The status of a user decides about all their images (server/domain/images/availability.ts).
  database.exec(
    `create temp trigger invalidate_status after update of status on users when old.status <> new.status
     begin select image_changed(null); end`,
  )
  // Detects writes of commands and the operator's tools. Reading it takes 2.7 µs.
  const version = database.prepare('pragma data_version')
  const read = () => Number((version.get() as { data_version: number }).data_version)
  let lastVersion = read()
  let wasChecked = false
  return {
    /** Calls `listener` with the id of each changed or deleted row; without one for any row. */
    onChange: (listener: (id?: string) => void): void => void listeners.push(listener),
    /** Calls the listeners when another process has written. @throws when the file is unreadable */
    detectExternalWrites() {
      // Once per event loop iteration: requests that arrive in the same iteration were sent before
      // this process could have responded to any of them.
      if (wasChecked) return
      const current = read()
      wasChecked = true
      setImmediate(() => {
        wasChecked = false
      })
      if (current === lastVersion) return
      lastVersion = current
      notify()
    },
  }
}
