import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { writeClipboard } from '../../../ui/clipboard.ts'
import { tree } from '../../../texts/database-panel-messages.ts'

/** A text as it is, all else as formatted JSON. Answers whether it is on the clipboard; where it is, the button says so. */
export async function copyValue(value: unknown): Promise<boolean> {
  const isCopied = await writeClipboard(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  if (!isCopied) adminNotify.failed(tree.copyFailed, tree.copyFailedText)
  return isCopied
}
