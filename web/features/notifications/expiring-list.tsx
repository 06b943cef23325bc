import { LoaderCircle, Sprout } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { expiringImages } from '../../model/images/expiring-images.ts'
import { useRows } from '../../model/row-list.ts'
import { common } from '../../texts/messages.ts'
import { notifications } from '../../texts/notifications-messages.ts'
import { ListPanel } from '../../ui/list-panel/list-panel.tsx'
import { ExpiringRow } from './expiring-row.tsx'
import { type ExtendImages, useExpiringRows } from './use-expiring-rows.ts'

const { title, failed, noneYet, noneYetText } = notifications
const minuteMs = 60_000

/** The images that expire soon, each with a button that extends it. */
export function ExpiringList({ extend }: { extend: ExtendImages }) {
  const loaded = useRows(expiringImages)
  const images = loaded.rows
  const { rows, isAllBusy, extendOne, extendAll } = useExpiringRows(images, extend)
  const list = useRef<HTMLUListElement>(null)
  const [settled, setSettled] = useState<{ id: string; isDone: boolean }>()

  const extendRow = useCallback(
    async (image: Image) => setSettled({ id: image.id, isDone: await extendOne(image) }),
    [extendOne],
  )

  async function extendEach(): Promise<void> {
    await extendAll()
    setSettled({ id: '', isDone: true })
  }

  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs

  // The pressed button is removed: the focus goes to the next, after a failure to it.
  useEffect(() => {
    if (settled === undefined || list.current === null) return
    const items = [...list.current.children]
    const at = items.findIndex((item) => item instanceof HTMLElement && item.dataset.id === settled.id)
    const hasMovedOn = document.activeElement !== document.body && !items[at]?.contains(document.activeElement)
    if (hasMovedOn) return
    const from = settled.isDone ? at + 1 : at
    const buttons = [...items.slice(from), ...items.slice(0, from)].map((item) => item.querySelector('button'))
    const next = buttons.find((button) => button?.disabled === false && button.ariaDisabled !== 'true')
    ;(next ?? document.getElementById('alerts'))?.focus()
  }, [settled])

  return (
    <ListPanel
      id="alerts"
      className="alerts"
      icon={Sprout}
      texts={{ title, failed, noneYet, noneYetText }}
      list={{ ...loaded, rows }}
      action={
        <>
          {images.length > 0 && (
            <p className="ml-auto text-dense text-text-2 tabular-nums max-md:mr-auto max-md:ml-0">
              {notifications.count(images.length)}
            </p>
          )}
          {(images.length > 1 || isAllBusy) && (
            <button type="button" className="btn btn-quiet" disabled={isAllBusy} onClick={() => void extendEach()}>
              {isAllBusy ? notifications.extending : notifications.extendAll}
            </button>
          )}
        </>
      }
      skeletons={
        <p role="status" className="card grid min-h-56 place-items-center text-text-2">
          <LoaderCircle className="spin size-7" aria-hidden />
          <span className="sr-only">{common.loading}</span>
        </p>
      }
    >
      <ul ref={list} className="card expiring-rows overflow-clip">
        {rows.map((row) => (
          <ExpiringRow key={row.image.id} {...row} nowMs={nowMs} isDisabled={isAllBusy} onExtend={extendRow} />
        ))}
      </ul>
    </ListPanel>
  )
}
