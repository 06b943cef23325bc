import type { UploadItem } from '../engine/upload-state.ts'
import { uploadQueue } from '../../../texts/upload-messages.ts'
import { LiveText } from '../../../ui/live-text.tsx'

const maxNames = 3

/** Names the files that a batch has left out, with the reason, one line for each. */
export function LeftOut({ items }: { items: readonly UploadItem[] }) {
  const refused = items.filter(({ stage }) => stage === 'refused')
  const reasons = [...new Set(refused.map(({ problem }) => problem?.text ?? ''))]
  return reasons.map((reason) => (
    <LiveText key={reason} className="text-meta wrap-anywhere text-text-2">
      {uploadQueue.leftOut(namesOf(refused.filter(({ problem }) => problem?.text === reason)), reason)}
    </LiveText>
  ))
}

function namesOf(items: readonly UploadItem[]): string {
  const names = items.slice(0, maxNames).map(({ file }) => file.name)
  const others = items.length - names.length
  return listFormat.format(others === 0 ? names : [...names, uploadQueue.others(others)])
}

const listFormat = new Intl.ListFormat('en-US')
