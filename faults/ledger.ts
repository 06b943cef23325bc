// The harness's own memory of what the server has promised: nothing in it comes from the server's disk.
import { createHash } from 'node:crypto'
import type { UploadedImage } from '../contract/images.ts'

export interface Promised {
  image: UploadedImage
  /** Of the bytes that were sent. */
  sentSha256: string
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The record of an upload that was answered with 201. */
export const promiseOf = (image: UploadedImage, sent: Uint8Array): Promised => ({ image, sentSha256: sha256(sent) })

export class Ledger {
  readonly promised: Promised[] = []

  add(image: UploadedImage, sent: Uint8Array): void {
    this.promised.push(promiseOf(image, sent))
  }
}
