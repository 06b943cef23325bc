import { useQuery } from '@tanstack/react-query'
import { use, useId } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { troubleOf } from '../../model/api-error.ts'
import { imageViews } from '../../model/images/image-views.ts'
import { queryClient } from '../../model/query-client.ts'
import { views as texts } from '../../texts/views-messages.ts'
import { DayChart } from '../../ui/charts/day-chart.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { WaitText } from '../../ui/dialog/wait-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { shownName } from '../../model/images/stored-image.ts'

interface Props {
  image: Image
  onClose: () => void
}

/** How often an image was viewed in the last 30 days. */
export function ViewsDialog({ image, onClose }: Props) {
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p className="-mt-4 truncate text-dense text-text-2" title={shownName(image)}>
        {shownName(image)}
      </p>
      <Counts id={image.id} />
    </Dialog>
  )
}

function Counts({ id }: { id: string }) {
  const titleId = useId()
  const { data, error, refetch } = useQuery(imageViews(id), queryClient)
  const waitText = use(WaitText)
  if (error !== null) return <LoadFailure title={texts.failed} {...troubleOf(error)} onRetry={refetch} />
  // As tall as the chart, so that the layout does not shift.
  if (data === undefined)
    return (
      <div role="status" className="skeleton h-80">
        <span className="sr-only">{texts.loading}</span>
        {waitText !== undefined && <p className="p-4 text-dense">{waitText}</p>}
      </div>
    )
  if (!data.isCounted) return <p className="text-text-2">{texts.notCounted}</p>
  return (
    <section aria-labelledby={titleId}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={titleId} className="text-h3">
          {texts.perDay}
        </h3>
        <p className="text-dense tabular-nums">{texts.inTotal(data.total)}</p>
      </div>
      <DayChart
        days={data.days.map(({ date, views }) => ({ date, value: views }))}
        column={texts.column}
        textOf={texts.counted}
        none={texts.none(data.total)}
        labelledBy={titleId}
      />
      <p className="mt-3 text-meta text-text-2">{texts.explained}</p>
    </section>
  )
}
