// Actions for the selected images, at the end of the window while any is selected.
import { ChevronDown, Copy, X } from 'lucide-react'
import { useState } from 'react'
import { copyChoices, setLastFormat, useCopyChoice } from '../../model/copy-choice.ts'
import { selection as text } from '../../texts/dashboard-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { focusMain } from '../../ui/focus-main.ts'
import { useClearByEscape } from '../../ui/list-panel/use-selection.ts'
import { LiveText } from '../../ui/live-text.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import type { SelectionAction } from './selection-actions.ts'

interface Props {
  /** How many are selected. */
  count: number
  /** How many of them are the user's: others can be copied. */
  own: number
  /** The ids of all images are being loaded. */
  isSelectingAll: boolean
  actions: readonly SelectionAction[]
  onCopy: () => Promise<boolean>
  onClear: () => void
}

export function SelectionBar({ count, own, isSelectingAll, actions, onCopy, onClear }: Props) {
  const choice = useCopyChoice()
  useClearByEscape(onClear)

  return (
    <section className="selection-bar image-selection" aria-label={text.label}>
      <LiveText className="selection-count font-semibold tabular-nums">
        {isSelectingAll ? text.reading : text.count(count, own)}
      </LiveText>
      <button
        type="button"
        className="btn btn-ghost btn-sm selection-clear"
        onClick={() => {
          onClear()
          focusMain()
        }}
      >
        <X className="size-4" aria-hidden />
        {text.clear}
      </button>
      <div className="selection-copy">
        <span className="select">
          <select
            aria-label={text.copyAs}
            value={choice}
            onChange={(event) => setLastFormat(copyChoices[event.target.selectedIndex] ?? 'url')}
          >
            {copyChoices.map((id) => (
              <option key={id} value={id}>
                {text.formats[id]}
              </option>
            ))}
          </select>
          <ChevronDown className="size-3.5" aria-hidden />
        </span>
        <CopyButton
          className="btn btn-quiet btn-sm"
          icon={<Copy className="size-4" aria-hidden />}
          copied={text.copied(count, text.formats[choice])}
          onCopy={onCopy}
        >
          {text.copy}
        </CopyButton>
      </div>
      <div className="selection-actions">
        {actions.map((action) => (
          <ActionButton key={action.id} action={action} isOff={isSelectingAll} />
        ))}
      </div>
    </section>
  )
}

function ActionButton({ action, isOff }: { action: SelectionAction; isOff: boolean }) {
  const { icon, text: label, busy = label, name, opensDialog = false, isDanger = false, run } = action
  const [isBusy, setBusy] = useState(false)

  async function press(): Promise<void> {
    setBusy(true)
    await run()
    setBusy(false)
  }

  if (label === undefined) return null
  return (
    <SmallButton
      icon={icon}
      text={(isBusy && busy) || label}
      {...(name !== undefined && { name })}
      opensDialog={opensDialog}
      isDanger={isDanger}
      isOff={isOff || isBusy || action.isOff === true}
      onPress={() => void (opensDialog ? run() : press())}
    />
  )
}
