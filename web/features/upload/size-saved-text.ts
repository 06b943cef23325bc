import type { Prepared, UploadItem } from './engine/upload-state.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { saving } from '../../texts/upload-messages.ts'

/** `10.6 MB to 419 KB, 96% smaller`. */
export const savingLine = ({ from, to }: { from: number; to: number }) =>
  saving.line(formatBytes(from), formatBytes(to), Math.round(100 * (1 - to / from)))

/** Describes the conversion of a file; undefined where it was sent unchanged. */
export function outcomeLine(original: File, { file, outcome }: Prepared): string | undefined {
  if (outcome === 'converted') return savingLine({ from: original.size, to: file.size })
  return outcome === 'larger' ? saving.larger : undefined
}

/** For a photograph that was refused for its size: converted, it would have been smaller. */
export function keptHint({ prepared, problem }: Pick<UploadItem, 'prepared' | 'problem'>): string {
  const isTooLarge = problem?.code === 'image_over_limit' || problem?.code === 'file_too_large'
  return prepared?.outcome === 'kept' && isTooLarge ? `. ${saving.keptHint}` : ''
}
