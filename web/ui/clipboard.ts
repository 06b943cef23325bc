// Puts text on the clipboard. What is said about it is the caller's.

/**
 * The clipboard is missing where the page is not a secure context: a host in the local network without TLS.
 * Answers whether the text is there.
 */
export async function writeClipboard(text: string): Promise<boolean> {
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
