import { use } from 'react'
import { WaitText } from '../../ui/dialog/wait-text.ts'

/** In a dialog whose list is on its way. It also says why that takes longer. */
export function ListLoading({ text }: { text: string }) {
  const waitText = use(WaitText)
  return (
    <p role="status" className="text-dense text-text-2">
      {text}
      {waitText !== undefined && ` ${waitText}`}
    </p>
  )
}
