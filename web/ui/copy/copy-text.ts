import { writeClipboard } from './clipboard.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { notify } from '../toast/toast.ts'

/** Copies `text` and shows a toast. @returns whether the copy succeeded */
export async function copyText(text: string, done: string): Promise<boolean> {
  const isCopied = await writeClipboard(text)
  if (isCopied) notify.success(done)
  else notify.error(copy.failed)
  return isCopied
}
