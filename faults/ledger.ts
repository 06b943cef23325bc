// The acknowledged uploads as recorded by the harness; nothing is read from the server's disk.
import { createHash } from 'node:crypto'
import type { UploadedImage } from '../contract/images.ts'

export interface Promised {
  image: UploadedImage
  /** Of the uploaded bytes. */
  sentSha256: string
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The record of an upload with a 201 response. */
export const promiseOf = (image: UploadedImage, sent: Uint8Array): Promised => ({ image, sentSha256: sha256(sent) })

export class Ledger {
  readonly promised: Promised[] = []

  add(image: UploadedImage, sent: Uint8Array): void {
    this.promised.push(promiseOf(image, sent))
  }
}
