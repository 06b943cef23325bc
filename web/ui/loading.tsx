import { LoaderCircle } from 'lucide-react'

export function Loading({ text }: { text: string }) {
  return (
    <p role="status" className="loading flex min-h-[50vh] flex-1 items-center justify-center gap-3 text-text-2">
      <LoaderCircle className="spin size-5" aria-hidden />
      {text}
    </p>
  )
}
