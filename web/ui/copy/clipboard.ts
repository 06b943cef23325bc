// Copies text to the clipboard. The caller shows the result.

/**
 * navigator.clipboard is missing outside secure contexts, such as a host in the local network without TLS.
 * @returns whether the text was copied
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
  // Elements outside an open modal dialog cannot take the focus.
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
