// From the file that was given to the file that is sent.
import { convertToWebp, webpMaxSidePx } from './upload-convert.ts'
import { planOf, webpName } from './upload-plan.ts'

export interface Prepared {
  file: File
  /** larger: WebP would have been, so the original is sent. */
  outcome: 'converted' | 'kept' | 'larger' | 'failed'
}

export class UnreadableFile extends Error {}

/**
 * Converts what is worth converting; the original stands in for whatever fails (specification section 4).
 * @param onConverting called when a conversion is really made
 * @throws {UnreadableFile} when not even its bytes can be had: moved, deleted, or still in somebody's cloud
 */
export async function prepareImage(file: File, signal: AbortSignal, onConverting?: () => void): Promise<Prepared> {
  const plan = planOf(await bytesOf(file), webpMaxSidePx)
  signal.throwIfAborted()
  if (plan === 'keep') return { file, outcome: 'kept' }
  onConverting?.()
  try {
    const blob = await convertToWebp(file, signal)
    if (blob.size >= file.size) return { file, outcome: 'larger' }
    const { lastModified } = file
    const converted = new File([blob], webpName(file.name), { type: 'image/webp', lastModified })
    return { file: converted, outcome: 'converted' }
  } catch (error) {
    if (signal.aborted) throw error
    console.info('Not converted to WebP; the original is sent', error)
    return { file, outcome: 'failed' }
  }
}

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (cause) {
    throw new UnreadableFile('The file cannot be read', { cause })
  }
}
