import { waitTextOf } from '../../model/api-error.ts'
import { useRetryWait } from '../../model/retry-waits.ts'

/** In a dialog whose list is on its way. It also says why that takes longer: the bar that does is behind the dialog. */
export function ListLoading({ text }: { text: string }) {
  const wait = useRetryWait()
  return (
    <p role="status" className="text-dense text-text-2">
      {text}
      {wait !== undefined && ` ${waitTextOf(wait.status)}`}
    </p>
  )
}
