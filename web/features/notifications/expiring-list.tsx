import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, Sprout } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { troubleOf } from '../../model/api-error.ts'
import { expiringImages } from '../../model/images/expiring-images.ts'
import { queryClient } from '../../model/query-client.ts'
import { common } from '../../texts/messages.ts'
import { notifications } from '../../texts/notifications-messages.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { ExpiringRow } from './expiring-row.tsx'
import { type ExtendImages, useExpiringRows } from './use-expiring-rows.ts'

const none: Image[] = []
const minuteMs = 60_000

/** The images that expire soon, each with a button that extends it. */
export function ExpiringList({ extend }: { extend: ExtendImages }) {
  const { data: images = none, status, error, refetch } = useQuery(expiringImages, queryClient)
  const { rows, isAllBusy, extendOne, extendAll } = useExpiringRows(images, extend)
  const heading = useRef<HTMLHeadingElement>(null)
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

  // The pressed button is removed or disabled: the focus goes to the next, after a failure to it.
  useEffect(() => {
    if (settled === undefined || list.current === null) return
    const items = [...list.current.children]
    const at = items.findIndex((item) => item instanceof HTMLElement && item.dataset.id === settled.id)
    const hasMovedOn = document.activeElement !== document.body && !items[at]?.contains(document.activeElement)
    if (hasMovedOn) return
    const from = settled.isDone ? at + 1 : at
    const buttons = [...items.slice(from), ...items.slice(0, from)].map((item) => item.querySelector('button'))
    const next = buttons.find((button) => button?.disabled === false)
    ;(next ?? heading.current)?.focus()
  }, [settled])

  return (
    <section aria-labelledby="alerts" aria-busy={status === 'pending'}>
      <div className="mb-4 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="alerts" ref={heading} tabIndex={-1} className="mr-auto text-h2 max-md:w-full">
          {notifications.section}
        </h2>
        {images.length > 0 && (
          <p className="text-dense text-text-2 tabular-nums max-md:mr-auto">{notifications.count(images.length)}</p>
        )}
        {(images.length > 1 || isAllBusy) && (
          <button type="button" className="btn btn-quiet" disabled={isAllBusy} onClick={() => void extendEach()}>
            {isAllBusy ? notifications.extending : notifications.extendAll}
          </button>
        )}
      </div>
      {status === 'error' && (
        <LoadFailure title={notifications.failed} {...troubleOf(error)} onRetry={refetch} isBar={rows.length > 0} />
      )}
      {rows.length > 0 && (
        <ul ref={list} className="card expiring-rows overflow-clip">
          {rows.map((row) => (
            <ExpiringRow key={row.image.id} {...row} nowMs={nowMs} isDisabled={isAllBusy} onExtend={extendRow} />
          ))}
        </ul>
      )}
      {rows.length === 0 && status === 'pending' && (
        <p role="status" className="card grid min-h-56 place-items-center text-text-2">
          <LoaderCircle className="spin size-7" aria-hidden />
          <span className="sr-only">{common.loading}</span>
        </p>
      )}
      {rows.length === 0 && status === 'success' && <Empty />}
    </section>
  )
}

function Empty() {
  return (
    <div className="card grid min-h-56 place-content-center justify-items-center gap-1 p-6 text-center">
      <span className="mb-3 grid size-14 place-items-center rounded-full bg-success-soft">
        <Sprout className="size-7 text-success-text" aria-hidden />
      </span>
      <p className="text-h3">{notifications.empty}</p>
      <p className="max-w-[44ch] text-dense text-balance text-text-2">{notifications.emptyText}</p>
    </div>
  )
}
