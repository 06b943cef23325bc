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

let underWay: Promise<void> | undefined
/** What left the list while it was being read: the reply may still name it. */
let forgotten = new Set<string>()

token.subscribe(() => {
  if (token.get() === null) store.set(empty)
})

/** Reads the list. Whoever asks while it is being read waits for the same reply: header and page ask at once. */
export function loadExpiringImages(): Promise<void> {
  underWay ??= load().finally(() => (underWay = undefined))
  return underWay
}

async function load(): Promise<void> {
  const asked = token.get()
  const { status, images } = store.get()
  forgotten = new Set()
  if (status === 'failed') store.set({ status: 'loading', images })
  let next: ExpiringImages
  try {
    const { client } = await import('./http.ts')
    next = { status: 'ready', images: await client.listExpiringImages() }
  } catch (error) {
    console.info('Failed to fetch expiring images', error)
    next = { status: 'failed', images: store.get().images }
  }
  if (token.get() === asked) store.set(without(next, forgotten))
  // Somebody else has signed in meanwhile: this reply is not theirs.
  else if (token.get() !== null) await load()
}

export function forgetExpiring(ids: ReadonlySet<string>): void {
  for (const id of ids) forgotten.add(id)
  store.set(without(store.get(), ids))
}

const without = ({ status, images }: ExpiringImages, ids: ReadonlySet<string>): ExpiringImages => ({
  status,
  images: images.filter(({ id }) => !ids.has(id)),
})
