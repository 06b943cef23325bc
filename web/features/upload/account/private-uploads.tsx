import { useId, useState } from 'react'
import { serverText } from '../../../model/api-error.ts'
import { setUploadVisibility } from '../../../model/images/visibility.ts'
import { useSession } from '../../../model/session.ts'
import { area } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'

/** Of the account, for its programs too. */
export function PrivateUploads() {
  const id = useId()
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  if (session.status !== 'in') return null

  async function change(isOn: boolean): Promise<void> {
    setBusy(true)
    try {
      await setUploadVisibility(isOn ? 'private' : 'public')
    } catch (error) {
      console.info(area.privateFailed, error)
      notify.error(serverText(error, area.privateFailed))
    }
    setBusy(false)
  }

  return (
    <>
      <label
        title={area.privateText}
        className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11"
      >
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
          role="switch"
          className="switch"
          aria-describedby={id}
          aria-busy={isBusy}
          checked={session.user.uploadVisibility === 'private'}
          onChange={({ target }) => !isBusy && void change(target.checked)}
        />
        {area.private}
      </label>
      <span id={id} className="sr-only">
        {area.privateText}
      </span>
    </>
  )
}
