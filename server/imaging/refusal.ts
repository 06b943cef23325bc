// Refusals of an image. Imports nothing, so that every module of imaging can import it.

export type RefusalReason = 'unsupported' | 'broken' | 'over_limit'

/** The image, not the service, is at fault. The message is one short sentence for the person who uploaded it. */
export class ImageRefused extends Error {
  override name = 'ImageRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export const broken = (message: string) => new ImageRefused('broken', message)
export const unsupported = (message: string) => new ImageRefused('unsupported', message)
export const overLimit = (message: string) => new ImageRefused('over_limit', message)
