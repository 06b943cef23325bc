import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { writeClipboard } from '../../../ui/clipboard.ts'
import { tree } from '../../../texts/database-panel-messages.ts'

/** Copies a text as it is and other values as formatted JSON. @returns whether the copy succeeded; the button shows the result */
export async function copyValue(value: unknown): Promise<boolean> {
  const isCopied = await writeClipboard(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  if (!isCopied) adminNotify.failed(tree.copyFailed, tree.copyFailedText)
  return isCopied
}
