import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { refusalOfDrag, type UploadRules } from './accepted-files.ts'

/** `refusal`: why the dragged files are not accepted, as text. */
export type Drag = { isOver: false } | { isOver: true; refusal: string | undefined }

/** What was dropped: an entry is a file or a folder. A folder is among the files too, but cannot be read as one. */
export interface Dropped {
  files: readonly File[]
  /** None in a browser, or a test, that has only files. */
  entries: readonly FileSystemEntry[]
}

/** Must be called during the event: the browser empties the DataTransfer afterwards. */
const droppedOf = ({ files, items }: DataTransfer): Dropped => ({
  files: [...files],
  entries: [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null),
})

interface Options {
  rules: UploadRules
  isEnabled: boolean
  /** Leaves to others what they take. */
  isLast?: boolean
  onDrop: (dropped: Dropped) => void
}

/** Files dropped anywhere on the page: by default a browser would leave it to open the file. */
export function useDrop({ rules, isEnabled, isLast = false, onDrop }: Options): Drag {
  const [drag, setDrag] = useState<Drag>({ isOver: false })
  /** Chromium lists an image of the page as a file while it is dragged. */
  const isFromHere = useRef(false)

  const over = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event) || (isLast && isTaken(event))) return
    event.preventDefault()
    if (!isEnabled || isFromHere.current) {
      event.dataTransfer.dropEffect = 'none'
      return
    }
    const refusal = refusalOfDrag(event.dataTransfer.items, rules)
    setDrag((before) => (before.isOver && before.refusal === refusal ? before : { isOver: true, refusal }))
  })

  const drop = useEffectEvent((event: DragEvent) => {
    setDrag({ isOver: false })
    if (!carriesFiles(event) || (isLast && isTaken(event))) return
    event.preventDefault()
    if (isEnabled && !isFromHere.current) onDrop(droppedOf(event.dataTransfer))
    isFromHere.current = false
  })

  useEffect(() => {
    // An element's dragenter fires before its parent's dragleave: leaving the last leaves the page.
    let entered: EventTarget | null = null
    const enter = (event: DragEvent) => {
      entered = event.target
      over(event)
    }
    const leave = (event: DragEvent) => {
      if (event.target === entered) setDrag({ isOver: false })
    }
    const start = () => void (isFromHere.current = true)
    const end = () => void (isFromHere.current = false)
    const place = isLast ? window : document
    const stop = new AbortController()
    const listen = (name: 'dragstart' | 'dragend' | 'dragenter' | 'dragover' | 'dragleave' | 'drop', on: typeof over) =>
      place.addEventListener(name, on as (event: Event) => void, { signal: stop.signal })
    listen('dragstart', start)
    listen('dragend', end)
    listen('dragenter', enter)
    listen('dragover', over)
    listen('dragleave', leave)
    listen('drop', drop)
    return () => stop.abort()
  }, [isLast])

  return drag
}

const carriesFiles = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } =>
  event.dataTransfer?.types.includes('Files') === true

/** By a field for files, or by a part of the page that listens closer to what is dropped. */
const isTaken = ({ defaultPrevented, target }: DragEvent) =>
  defaultPrevented || (target instanceof Element && target.closest('input[type=file]') !== null)
