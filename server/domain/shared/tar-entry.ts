// Adds entries to a tar archive that is read, or written to a file, at the same time.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type tar from 'tar-stream'

/**
 * Adds an entry. Its content passes through a pipeline, also when all of it is in memory: the entry of an archive that
 * breaks emits an error, which ends the process unless somebody listens.
 * @param content opened only when the archive accepts the entry
 * @returns when the archive has taken the bytes, or nearly
 * @throws when the archive broke or was closed; its own error says why
 */
export async function addEntry(pack: tar.Pack, header: tar.Headers, content: Buffer | (() => Readable)): Promise<void> {
  const isBuffer = Buffer.isBuffer(content)
  const entry = pack.entry({ ...header, ...(isBuffer && { size: content.length }) })
  await pipeline(isBuffer ? [content] : content(), entry)
}
