// How many files an account, an API key or a guest's address may upload in an hour.
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { findRequiredChallenge } from '../shared/proof-of-work.ts'
import { throttle, throttleAddress, type Undo } from '../shared/throttle.ts'
import type { AnnouncedUpload } from './idempotency.ts'
import { throttleKey } from './key-limits.ts'

/**
 * Counts a file in the hour of its account or address, and of its API key.
 * @throws {Failure} too_many_requests; then it counts nowhere
 */
export async function countUpload(deps: Deps, { caller, address }: AnnouncedUpload): Promise<Undo> {
  const { GUEST_UPLOADS_PER_HOUR, USER_UPLOADS_PER_HOUR } = deps.config
  const windowMs = limits.uploadWindowMs
  if (caller.kind === 'guest')
    return throttleAddress(deps, address, { key: 'guest-upload', limit: GUEST_UPLOADS_PER_HOUR, windowMs })
  // The key first: beyond its limit it does not use up that of the account.
  const undoKey = 'apiKeyId' in caller.by ? await throttleKey(deps, caller.by) : undefined
  try {
    const key = `user-upload:${caller.account.id}`
    const undo = await throttle(deps, { key, limit: USER_UPLOADS_PER_HOUR, windowMs })
    return async () => void (await Promise.all([undoKey?.(), undo()]))
  } catch (error) {
    await undoKey?.()
    throw error
  }
}

/**
 * Counts the files of an upload beyond the first, which was counted when it was admitted: all or none. A proof of work
 * is for one file.
 * @param counted gets what undoes each count
 * @throws {Failure} too_many_requests; too_many_files: more than an hour allows; invalid_input: x-proof-of-work
 */
export async function countFurtherFiles(
  deps: Deps,
  upload: AnnouncedUpload,
  files: number,
  counted: Undo[],
): Promise<void> {
  try {
    // No hour would have room for them.
    if (files > mostOfAnHour(deps, upload)) throw new Failure('too_many_files')
    for (let file = 1; file < files; file++) {
      if (upload.caller.kind === 'guest' && (await findRequiredChallenge(deps, undefined)) !== null)
        throw new Failure('invalid_input', {
          field: 'x-proof-of-work',
          problem: 'is for one image. Send one at a time',
        })
      counted.push(await countUpload(deps, upload))
    }
  } catch (error) {
    await Promise.all(counted.splice(0).map((undo) => undo()))
    throw error
  }
}

function mostOfAnHour({ config }: Deps, { caller }: AnnouncedUpload): number {
  const limitsOfCaller =
    caller.kind === 'guest'
      ? [config.GUEST_UPLOADS_PER_HOUR]
      : [config.USER_UPLOADS_PER_HOUR, ('apiKeyId' in caller.by && caller.by.grant.uploadsPerHour) || 0]
  return Math.min(...limitsOfCaller.filter((limit) => limit > 0))
}
