import type { Prepared } from './engine/upload-state.ts'
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
