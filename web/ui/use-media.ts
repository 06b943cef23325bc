import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches; false in prerendered markup. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = mediaOf(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => mediaOf(query).matches,
    () => false,
  )
}

/** One for each query: a component asks at every render, and a gallery is rendered while it is scrolled. */
const medias = new Map<string, MediaQueryList>()

function mediaOf(query: string): MediaQueryList {
  const media = medias.get(query) ?? matchMedia(query)
  medias.set(query, media)
  return media
}
