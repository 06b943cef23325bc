import { CircleAlert, X } from 'lucide-react'
import { database } from '../../texts/database-messages.ts'
import { hideFailure, useFailure } from './banner.ts'

export function ErrorBanner() {
  const text = useFailure()
  if (text === undefined) return null
  return (
    <div
      role="alert"
      className="mb-4 flex items-start gap-3 rounded-card bg-danger-soft py-2 pr-2 pl-4 text-danger-text"
    >
      <CircleAlert className="mt-2 size-5 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 py-1.5 font-medium wrap-anywhere">{text}</p>
      <button type="button" className="btn-icon text-danger-text" onClick={hideFailure}>
        <X className="size-4" aria-hidden />
        <span className="sr-only">{database.dismiss}</span>
      </button>
    </div>
  )
}
