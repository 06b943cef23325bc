// Changes that one tab makes, for the other tabs of the same account: they load again what they show.
import { adjustImageTotals, session } from '../session.ts'

interface Message {
  userId: string
  /** The first part of a query's key, or {@link imageList}. */
  subject: string
  added?: AddedImages | undefined
}

/** Of deleted images negative. */
interface AddedImages {
  images: number
  bytes: number
}

/** The list of images, which is no query. */
export const imageList = 'images'

/** After the first change; doubled while there are more, as during an upload of many files. */
const firstWaitMs = 1000
const maxWaitMs = 16_000
/** Without a change for this long, the next one is quick again. */
const calmMs = 30_000
/** What was hidden for longer is loaded again: other devices send no message. */
const longHiddenMs = 5 * 60_000

type Listener = (subjects: ReadonlySet<string> | 'all') => void
const listeners = new Set<Listener>()
/** What has changed since the listeners were last called. */
let changed = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let waits = 0
let calledAt = 0
let hiddenSince: number | undefined
let channel: BroadcastChannel | undefined

/** Undefined while prerendering, and in browsers from before 2022. */
function open(): BroadcastChannel | undefined {
  if (channel === undefined && typeof document !== 'undefined' && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel('image-host')
    channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
    document.addEventListener('visibilitychange', onVisibility)
  }
  return channel
}

const userId = () => {
  const current = session.get()
  return current.status === 'in' ? current.user.id : undefined
}

/** Tells the other tabs that this one has changed something. */
export function tellTabs(subject: string, added?: AddedImages): void {
  const id = userId()
  if (id !== undefined) open()?.postMessage({ userId: id, subject, added } satisfies Message)
}

/** Changes the account's totals in all tabs. The server's own still have what a deletion can bring back. */
export function adjustTotals(added: AddedImages): void {
  adjustImageTotals(added.images, added.bytes)
  tellTabs(imageList, added)
}

/** @param onChange called while the tab is visible, at most every few seconds. @returns ends that */
export function followTabs(onChange: Listener): () => void {
  open()
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

function hear(message: Message): void {
  if (message.userId !== userId()) return
  if (message.added !== undefined) adjustImageTotals(message.added.images, message.added.bytes)
  changed.add(message.subject)
  if (document.hidden || timer !== undefined) return
  if (Date.now() - calledAt > calmMs) waits = 0
  timer = setTimeout(callListeners, Math.min(firstWaitMs * 2 ** waits++, maxWaitMs))
}

function callListeners(): void {
  clearTimeout(timer)
  timer = undefined
  // When it is shown: onVisibility.
  if (document.hidden || changed.size === 0) return
  calledAt = Date.now()
  const subjects = changed
  changed = new Set()
  for (const listener of listeners) listener(subjects)
}

function onVisibility(): void {
  if (document.hidden) {
    hiddenSince = Date.now()
    return
  }
  const wasLong = hiddenSince !== undefined && Date.now() - hiddenSince > longHiddenMs
  hiddenSince = undefined
  if (!wasLong || !navigator.onLine) return callListeners()
  changed.clear()
  for (const listener of listeners) listener('all')
}
