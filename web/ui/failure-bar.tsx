interface Props {
  text: string
  retry: string
  onRetry: () => void
}

/** In the place of what could not be read: why, and the way to ask again. */
export function FailureBar({ text, retry, onRetry }: Props) {
  return (
    <div role="alert" className="mb-4 flex flex-wrap items-center gap-3 rounded-card bg-danger-soft px-4 py-3">
      <p className="mr-auto font-medium text-danger-text">{text}</p>
      <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={onRetry}>
        {retry}
      </button>
    </div>
  )
}
