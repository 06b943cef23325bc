// The source of an image. One that failed while the server or the connection was away is asked for again while it is on screen.
import { useEffect, useState } from 'react'

interface ImageSource {
  /** Undefined after the last has failed. */
  source: string | undefined
  onError: () => void
  /** For what is shown instead. */
  insteadRef: (element: Element | null) => void
}

/** How often a source that the server has is given to an image that fails nevertheless. */
const maxAnswers = 3

/** @param sources in order: each is used when the previous one fails to load */
export function useSource(sources: readonly string[]): ImageSource {
  const [failed, setFailed] = useState<{ first?: string | undefined; count: number }>({ count: 0 })
  const [answers, setAnswers] = useState(0)
  const [instead, insteadRef] = useState<Element | null>(null)
  const [first] = sources
  // Other sources have their own: those without a key fail when an image becomes private while it loads.
  const failures = failed.first === first ? failed.count : 0
  const isAsked = instead !== null && first !== undefined && answers < maxAnswers && isOfThisSite(first)
  useEffect(() => {
    if (!isAsked) return
    return askWhileVisible(instead, first, () => {
      setAnswers(answers + 1)
      setFailed({ first, count: 0 })
    })
  }, [isAsked, instead, first, answers])
  return { source: sources[failures], onError: () => setFailed({ first, count: failures + 1 }), insteadRef }
}

/** Not a file of the disk, and not an address that the page's policy lets no script ask for. */
const isOfThisSite = (source: string) =>
  /^https?:/.test(source) ? source.startsWith(`${location.origin}/`) : source.startsWith('/')

interface Missing {
  source: string
  isOnScreen: boolean
  onAnswer: () => void
}

const firstWaitMs = 1000
const maxWaitMs = 30_000
const maxAtOnce = 4
const timeoutMs = 30_000

/** What is to be asked for: the images on screen. */
const missing = new Set<Missing>()
let rounds = 0
let isAsking = false
let timer: ReturnType<typeof setTimeout> | undefined

function askWhileVisible(element: Element, source: string, onAnswer: () => void): () => void {
  const entry = { source, isOnScreen: false, onAnswer }
  const show = (isOnScreen: boolean) => {
    entry.isOnScreen = isOnScreen
    if (isOnScreen) missing.add(entry)
    else missing.delete(entry)
    schedule()
  }
  const observer = new IntersectionObserver((changes) => show(changes.at(-1)?.isIntersecting === true))
  observer.observe(element)
  return () => {
    observer.disconnect()
    show(false)
  }
}

function schedule(): void {
  if (isAsking || timer !== undefined || missing.size === 0) return
  timer = setTimeout(() => void askAll(), Math.min(firstWaitMs * 2 ** rounds++, maxWaitMs) * (0.75 + Math.random() / 4))
}

function askNow(): void {
  rounds = 0
  void askAll()
}

if (typeof document !== 'undefined') {
  addEventListener('online', askNow)
  document.addEventListener('visibilitychange', askNow)
}

/** One first, and the others a few at a time once that one has got a response. */
async function askAll(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  if (isAsking || document.hidden) return
  isAsking = true
  if (await askNext()) {
    rounds = 0
    await Promise.all(Array.from({ length: maxAtOnce }, askRest))
  }
  isAsking = false
  schedule()
}

async function askRest(): Promise<void> {
  while (await askNext());
}

/** @returns whether the server has responded */
async function askNext(): Promise<boolean> {
  const [entry] = missing
  if (entry === undefined) return false
  missing.delete(entry)
  const status = await statusOf(entry.source)
  const isAway = status === undefined || status === 408 || status === 429 || status >= 500
  // At the end, so that the next attempt is for another image.
  if (isAway && entry.isOnScreen) missing.add(entry)
  if (!isAway && !isGone(status)) entry.onAnswer()
  return !isAway
}

/** Expired, deleted or hidden: it is not asked for again. */
const isGone = (status: number) => status === 404 || status === 410 || status === 451

/** Undefined without a response. Its body is in the browser's cache then, where the image finds it. */
async function statusOf(source: string): Promise<number | undefined> {
  try {
    const response = await fetch(source, { signal: AbortSignal.timeout(timeoutMs) })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    console.info('Still no image', error)
    return undefined
  }
}
