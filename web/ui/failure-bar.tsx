interface Props {
  text: string
  retry: string
  onRetry: () => void
}

/** Shown when content could not be loaded: the reason and a retry button. */
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
