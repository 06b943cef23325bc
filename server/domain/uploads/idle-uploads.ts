// Whose abandoned uploads are given up when a new one finds no room.
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

/**
 * Resumable uploads whose client has gone away refuse nobody: they end, one by one, until the check passes or none is
 * left. The space of an account is only its own; that of the server is taken from the sender and guests first.
 * @throws what `check` throws
 */
export async function endingIdleUploads(deps: Deps, owner: string | null, check: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      const code = error instanceof Failure ? error.code : ''
      const isEnded =
        (await deps.uploadRecords.endIdle(holdersOfSpace(code, owner))) ||
        (isSharedSpace(code) && (await deps.uploadRecords.endIdle()))
      if (!isEnded) throw error
    }
  }
}

const isSharedSpace = (code: string) => code === 'storage_full' || code === 'total_quota_full'

function holdersOfSpace(code: string, owner: string | null): (string | null)[] {
  if (code === 'quota_exceeded') return [owner]
  if (code === 'guest_quota_full') return [null]
  return isSharedSpace(code) ? [owner, null] : []
}
