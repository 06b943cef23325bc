// A stub for the decoder processes of an upload, run as a thread: reads the file, hashes it and writes it as the original,
// through one buffer. The thumbnails are arbitrary bytes. Processes one job per message.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

const chunk = Buffer.allocUnsafeSlow(1024 * 1024)

/** @param {Pick<import('../server/imaging/pool/imaging.ts').IngestJob, 'sourcePath' | 'originalPath' | 'thumbnailPath' | 'listThumbnailPath'>} job */
parentPort?.on('message', ({ sourcePath, originalPath, thumbnailPath, listThumbnailPath }) => {
  const hash = createHash('sha256')
  const [source, original] = [openSync(sourcePath, 'r'), openSync(originalPath, 'w')]
  let bytes = 0
  for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk)) {
    hash.update(chunk.subarray(0, read))
    writeSync(original, chunk, 0, read)
    bytes += read
  }
  closeSync(source)
  closeSync(original)
  for (const path of [thumbnailPath, listThumbnailPath]) writeFileSync(path, 'not an image')
  parentPort?.postMessage({ bytes, sha256: hash.digest('hex') })
})
