// Notices that the link no longer shows what it did when its page was opened: it has ended, or has another password.

/** Many images fail at the same time. */
const checkEveryMs = 10_000
let checkedAt = -Infinity

/** Whether this is a page with images of a link, not one that asks for a password. */
export const hasImages = (html: string): boolean => html.includes('id="images"')

/** After an image has failed: loads the page again if it would say something else now. */
export async function reloadIfEnded(): Promise<void> {
  if (performance.now() - checkedAt < checkEveryMs) return
  checkedAt = performance.now()
  try {
    const response = await fetch(location.pathname, { headers: { accept: 'text/html' } })
    const isOver = response.status === 404 || (response.ok && !hasImages(await response.text()))
    if (isOver) location.reload()
  } catch (error) {
    console.info('The link could not be checked', error)
  }
}
