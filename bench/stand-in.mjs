// A thread that stands for the decoder processes of an upload: reads the file, hashes it and writes it as the original, through one piece
// of memory. The thumbnail is some bytes. Takes one job after the other by message.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

const piece = Buffer.allocUnsafeSlow(1024 * 1024)

/** @param {Pick<import('../server/imaging/pool/imaging.ts').IngestJob, 'sourcePath' | 'originalPath' | 'thumbnailPath'>} job */
parentPort?.on('message', ({ sourcePath, originalPath, thumbnailPath }) => {
  const hash = createHash('sha256')
  const [source, original] = [openSync(sourcePath, 'r'), openSync(originalPath, 'w')]
  let bytes = 0
  for (let read = readSync(source, piece); read > 0; read = readSync(source, piece)) {
    hash.update(piece.subarray(0, read))
    writeSync(original, piece, 0, read)
    bytes += read
  }
  closeSync(source)
  closeSync(original)
  writeFileSync(thumbnailPath, 'not a picture')
  parentPort?.postMessage({ bytes, sha256: hash.digest('hex') })
})
