// The signed-in user's images that expire within 7 days: the count in the header and the list of the notifications.
import type { Image } from '../../contract/images.ts'
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

export interface ExpiringImages {
  status: 'loading' | 'ready' | 'failed'
  images: readonly Image[]
}

const empty: ExpiringImages = { status: 'loading', images: [] }
const store = createStore(empty)
export const useExpiringImages = () => useStore(store)

token.subscribe(() => {
  if (token.get() === null) store.set(empty)
})

export async function loadExpiringImages(): Promise<void> {
  const { images } = store.get()
  try {
    const { client } = await import('./http.ts')
    store.set({ status: 'ready', images: await client.listExpiringImages() })
  } catch (error) {
    console.info('Failed to fetch expiring images', error)
    store.set({ status: 'failed', images })
  }
}

export function forgetExpiring(ids: ReadonlySet<string>): void {
  const { images, ...rest } = store.get()
  store.set({ ...rest, images: images.filter(({ id }) => !ids.has(id)) })
}
