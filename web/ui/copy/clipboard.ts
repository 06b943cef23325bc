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

/**
 * Copies a text together with the same as HTML: each program takes what it shows best.
 * @returns whether at least the text was copied
 */
export async function writeRichClipboard(text: string, html: string): Promise<boolean> {
  try {
    const parts = { 'text/plain': text, 'text/html': html }
    const blobs = Object.entries(parts).map(([type, part]) => [type, new Blob([part], { type })] as const)
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    return true
  } catch (error) {
    console.info('The clipboard takes no HTML; copying the text', error)
    return writeClipboard(text)
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
