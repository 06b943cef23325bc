import { adminNotify } from '../../ui/toast/admin-toast.tsx'
import { writeClipboard } from '../../ui/copy/clipboard.ts'
import { docs } from '../../texts/docs-messages.ts'

const texts = { curl: docs.copiedCurl, code: docs.copiedCode, text: undefined }

/** Copies text and shows a toast. @returns whether the copy succeeded */
export async function copyDocs(text: string, what: keyof typeof texts): Promise<boolean> {
  const isCopied = await writeClipboard(text)
  if (isCopied) adminNotify.done(docs.copied, texts[what])
  else adminNotify.failed(docs.copyFailed, docs.copyFailedText)
  return isCopied
}
