// The rows of the expiry alerts. An extended image leaves data/ at once, and with it the header's count; its row stays a
// moment longer to show the new date.
import { useState } from 'react'
import type { Image } from '../../../contract/images.ts'
import { useExpiringImages } from '../../data/expiring-images.ts'
import { extendImage } from '../../data/images.ts'
import { notifications } from '../../texts/notifications-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { leavingMs, mergeRows, type Row } from './rows.ts'

const toastId = 'extend'
/** An extended image stays in the list this long, with its new date. */
const extendedShownMs = 2000

export function useExpiringRows() {
  const { images } = useExpiringImages()
  const [held, setHeld] = useState<ReadonlyMap<string, Row>>(new Map())
  const [isAllBusy, setAllBusy] = useState(false)
  const rows = mergeRows(images, held)

  const hold = (row: Row) => setHeld((before) => new Map(before).set(row.image.id, row))
  const release = (id: string) => setHeld((before) => new Map([...before].filter(([heldId]) => heldId !== id)))

  /** Answers whether it could. */
  async function extend(image: Image): Promise<boolean> {
    hold({ image, phase: 'busy' })
    try {
      const extendedTo = await extendImage(image)
      hold({ image, phase: 'done', extendedTo })
      setTimeout(() => hold({ image, phase: 'leaving', extendedTo }), extendedShownMs)
      setTimeout(() => release(image.id), extendedShownMs + leavingMs)
      return true
    } catch (error) {
      console.info('Failed to extend image expiration', error)
      release(image.id)
      return false
    }
  }

  const tell = (isDone: boolean) =>
    isDone ? notify.success(notifications.extended, toastId) : notify.error(notifications.extendFailed, toastId)

  async function extendOne(image: Image): Promise<boolean> {
    const isDone = await extend(image)
    tell(isDone)
    return isDone
  }

  /** One after another; what the server refuses ends it, and the rest stay. */
  async function extendAll(): Promise<void> {
    setAllBusy(true)
    let isDone = true
    for (const { image } of rows.filter(({ phase }) => phase === 'idle')) isDone = isDone && (await extend(image))
    setAllBusy(false)
    tell(isDone)
  }

  return { rows, isAllBusy, extendOne, extendAll }
}
