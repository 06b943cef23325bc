import { writeClipboard } from './clipboard.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { notify } from '../toast/toast.ts'

/**
 * Copies `text` and shows a toast.
 * @param id of a toast that replaces the one before
 * @returns whether the copy succeeded
 */
export async function copyText(text: string, done: string, id?: string): Promise<boolean> {
  const isCopied = await writeClipboard(text)
  if (isCopied) notify.success(done, id)
  else notify.error(copy.failed, id)
  return isCopied
}
