import { useState, useEffect, type RefObject } from 'react'

/** Full screen for an element. `toggle` is undefined where it is missing, as on iPhones. */
export function useFullscreen(ref: RefObject<HTMLElement | null>) {
  const [isFullscreen, setFullscreen] = useState(false)
  useEffect(() => {
    const follow = () => setFullscreen(document.fullscreenElement === ref.current && ref.current !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [ref])

  async function toggle(): Promise<void> {
    try {
      if (document.fullscreenElement === null) await ref.current?.requestFullscreen()
      else await document.exitFullscreen()
    } catch (error) {
      console.info('The browser refused full screen', error)
    }
  }
  return { isFullscreen, toggle: document.fullscreenEnabled ? () => void toggle() : undefined }
}
