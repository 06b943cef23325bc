// The acknowledged uploads as recorded by the harness; nothing is read from the server's disk.
import { createHash } from 'node:crypto'
import type { UploadedImage } from '../contract/endpoints/images.ts'

export interface AcknowledgedUpload {
  image: UploadedImage
  /** Of the uploaded bytes. */
  sentSha256: string
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The record of an upload with a 201 response. */
export const acknowledgedUploadOf = (image: UploadedImage, sent: Uint8Array): AcknowledgedUpload => ({
  image,
  sentSha256: sha256(sent),
})

export class Ledger {
  readonly acknowledged: AcknowledgedUpload[] = []

  add(image: UploadedImage, sent: Uint8Array): void {
    this.acknowledged.push(acknowledgedUploadOf(image, sent))
  }
}
