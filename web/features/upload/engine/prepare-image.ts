// Prepares a file of a signed-in user for sending: converts it to WebP where that pays.
import { planOf, webpName } from './conversion-plan.ts'
import { convertToWebp, webpMaxSidePx } from './convert-to-webp.ts'
import { type Prepared, UnreadableFile } from './upload-state.ts'

/**
 * Converts a file where conversion-plan.ts says so. The original is returned when the conversion
 * fails.
 * @param onConverting called before a conversion starts
 * @throws {UnreadableFile}
 */
export async function prepareImage(file: File, signal: AbortSignal, onConverting?: () => void): Promise<Prepared> {
  const plan = planOf(await bytesOf(file), webpMaxSidePx)
  signal.throwIfAborted()
  if (plan === 'keep') return { file, outcome: 'unchanged' }
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
