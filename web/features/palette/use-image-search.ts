import { useEffect, useState } from 'react'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'

const delayMs = 200
const maxResults = 6

export interface Found {
  status: 'idle' | 'searching' | 'ready' | 'failed'
  images: readonly Image[]
}
const nothing: Found = { status: 'idle', images: [] }

/** The user's images with `typed` in their name, once the typing pauses. Of several questions the last one counts. */
export function useImageSearch(typed: string, isOn: boolean): Found {
  const [found, setFound] = useState<Found & { q: string }>({ ...nothing, q: '' })
  const q = isOn ? typed.trim().slice(0, limits.list.maxSearchLength) : ''

  useEffect(() => {
    if (q === '') return
    let isAsked = true
    async function ask(): Promise<void> {
      try {
        const { client } = await import('../../data/http.ts')
        const images = await client.listImages({ query: { q, limit: String(maxResults) } })
        if (isAsked) setFound({ status: 'ready', images, q })
      } catch (error) {
        console.info('Images could not be searched', error)
        if (isAsked) setFound({ status: 'failed', images: [], q })
      }
    }
    const timer = setTimeout(() => void ask(), delayMs)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [q])

  if (q === '') return nothing
  return found.q === q ? found : { status: 'searching', images: found.images }
}
