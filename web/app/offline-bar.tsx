// Part of the first script: when it is needed, nothing can be loaded.
import { useOnline } from '../data/online.ts'
import { common } from '../texts/messages.ts'

export function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="border-b border-border bg-warning-soft px-(--gutter) py-2 text-center text-dense text-balance font-medium text-warning-text">
          {common.offline}
        </p>
      )}
    </div>
  )
}
