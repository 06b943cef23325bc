// What a user chooses about the next uploads.
import { useId } from 'react'
import { serverText } from '../../../model/api-error.ts'
import { mayKeepImages } from '../../../model/images/may-keep.ts'
import { setUploadVisibility } from '../../../model/images/visibility.ts'
import { useSession } from '../../../model/session.ts'
import { useStore } from '../../../model/store.ts'
import { area } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { useAction } from '../../../ui/use-action.ts'
import { keptPhotographs, keptUploads } from '../upload-prefs.ts'

/** For users only: a guest's file is always sent as it is. */
export const KeepPhotographs = () => (
  <UploadSwitch
    label={area.keepPhotographs}
    text={area.keepPhotographsText}
    isOn={useStore(keptPhotographs)}
    onChange={(isOn) => keptPhotographs.change(isOn)}
  />
)

/** Where the user may keep images. */
export function KeepUploads() {
  const isOn = useStore(keptUploads)
  if (!mayKeepImages()) return null
  return (
    <UploadSwitch
      label={area.keepUploads}
      text={area.keepUploadsText}
      isOn={isOn}
      onChange={(next) => keptUploads.change(next)}
    />
  )
}

/** A setting of the account: an API key without a choice of its own follows it. */
export function PrivateUploads() {
  const session = useSession()
  const { isBusy, run } = useAction(notify.failure)
  if (session.status !== 'in') return null
  const change = (isOn: boolean) =>
    run(
      () => setUploadVisibility(isOn ? 'private' : 'public'),
      (error) => serverText(error, area.privateFailed),
    )
  return (
    <UploadSwitch
      label={area.private}
      text={area.privateText}
      isOn={session.user.uploadVisibility === 'private'}
      isBusy={isBusy}
      onChange={(isOn) => void change(isOn)}
    />
  )
}

interface SwitchProps {
  label: string
  /** What it means: for screen readers, and while the pointer is over it. */
  text: string
  isOn: boolean
  isBusy?: boolean
  onChange: (isOn: boolean) => void
}

/** In one line with its label, as a menu has room for. */
function UploadSwitch({ label, text, isOn, isBusy = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <>
      <label title={text} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11">
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
          role="switch"
          className="switch"
          aria-describedby={id}
          aria-busy={isBusy}
          checked={isOn}
          onChange={({ target }) => !isBusy && onChange(target.checked)}
        />
        {label}
      </label>
      <span id={id} className="sr-only">
        {text}
      </span>
    </>
  )
}
