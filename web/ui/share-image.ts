import type { Image } from '../../contract/images.ts'
import { copyText } from './copy-text.ts'
import { actions } from '../texts/dashboard-messages.ts'

/** Uses the Web Share API; without it, copies the address to the clipboard. */
export async function shareImage({ url, original_name: title }: Pick<Image, 'url' | 'original_name'>): Promise<void> {
  const data = { url, title }
  try {
    // Missing outside secure contexts and in many desktop browsers.
    if (!('canShare' in navigator) || !navigator.canShare(data)) throw new Error('This browser cannot share')
    await navigator.share(data)
  } catch (error) {
    // The user closed the list of apps.
    if (error instanceof DOMException && error.name === 'AbortError') return
    console.info('Not shared; copying instead', error)
    await copyText(url, actions.imageUrlCopied)
  }
}
