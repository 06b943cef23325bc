import { useEffect, useEffectEvent, useState } from 'react'
import { refusalOfDrag, type UploadRules } from './rules.ts'

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

/** Files dropped anywhere on the page: by default a browser would leave it to open the file. */
export function useDrop(rules: UploadRules, isEnabled: boolean, onDrop: (dropped: Dropped) => void): Drag {
  const [drag, setDrag] = useState<Drag>({ isOver: false })

  const over = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    if (!isEnabled) {
      event.dataTransfer.dropEffect = 'none'
      return
    }
    const refusal = refusalOfDrag(event.dataTransfer.items, rules)
    setDrag((before) => (before.isOver && before.refusal === refusal ? before : { isOver: true, refusal }))
  })

  const drop = useEffectEvent((event: DragEvent) => {
    setDrag({ isOver: false })
    if (!carriesFiles(event)) return
    event.preventDefault()
    if (isEnabled) onDrop(droppedOf(event.dataTransfer))
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
    const listeners = { dragenter: enter, dragover: over, dragleave: leave, drop } as const
    const names = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const name of names) document.addEventListener(name, listeners[name])
    return () => {
      for (const name of names) document.removeEventListener(name, listeners[name])
    }
  }, [])

  return drag
}

const carriesFiles = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } =>
  event.dataTransfer?.types.includes('Files') === true
