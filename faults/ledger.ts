// The harness's own memory of what the server has promised: nothing in it comes from the server's disk.
import { createHash } from 'node:crypto'
import type { UploadedImage } from '../contract/images.ts'

export interface Promised {
  image: UploadedImage
  /** Of the bytes that were sent. */
  sentSha256: string
  /** UTC milliseconds at which the reply was read to its end. */
  acknowledgedAt: number
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export class Ledger {
  readonly promised: Promised[] = []

  add(image: UploadedImage, sent: Uint8Array): void {
    this.promised.push({ image, sentSha256: sha256(sent), acknowledgedAt: Date.now() })
  }
}
