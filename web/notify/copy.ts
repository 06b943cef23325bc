import { copy } from './gallery-messages.ts'
import { notify } from './toast.ts'

/** Puts `text` on the clipboard and says so. Answers whether it is there. */
export async function copyText(text: string, done: string): Promise<boolean> {
  const isCopied = await write(text)
  if (isCopied) notify.success(done)
  else notify.error(copy.failed)
  return isCopied
}

/** The clipboard is missing where the page is not a secure context: a host in the local network without TLS. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    console.info('The clipboard refused; trying a selection', error)
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement
  // Inside an open dialog the rest of the page cannot take the focus.
  const place = document.querySelector('dialog[open]') ?? document.body
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  place.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without a secure context
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
