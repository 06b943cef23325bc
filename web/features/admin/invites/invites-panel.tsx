import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Invite } from '../../../../contract/endpoints/invites.ts'
import { deleteInvite, inviteList } from './invites.ts'
import { useRows } from '../../../model/row-list.ts'
import { useSite } from '../../../model/site.ts'
import { inviteLink, invites as texts } from '../../../texts/admin/invites-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { CopyOnceDialog } from '../../../ui/copy/copy-once-dialog.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { AddButton } from '../add-button.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { InviteTable } from './invite-table.tsx'

/** The invitations: create, list, delete. */
export function InvitesPanel() {
  const { registration } = useSite()
  const list = useRows(inviteList)
  const { outcome, showDone, attempt } = useActionOutcome()
  const [isCreating, setCreating] = useState(false)
  const [link, setLink] = useState<string>()
  const [asked, setAsked] = useState<Invite>()

  const remove = ({ id }: Invite) =>
    attempt(async () => {
      await deleteInvite(id)
      // The button that opened the dialog is removed with its row.
      focusTitle('invites')
      return texts.deleted
    }, texts.deleteFailed)

  return (
    <>
      <ListPanel
        id="invites"
        icon={UserPlus}
        texts={{ ...texts, text: texts.text[registration] }}
        list={list}
        action={<AddButton text={texts.create} onPress={() => setCreating(true)} />}
        outcome={outcome}
      >
        <InviteTable invites={list.rows} onDelete={setAsked} />
      </ListPanel>
      {isCreating && <InviteDialog onDone={showDone} onLink={setLink} onClose={() => setCreating(false)} />}
      {link !== undefined && <CopyOnceDialog texts={inviteLink} value={link} onClose={() => setLink(undefined)} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirm={texts.delete}
          busy={texts.deleting}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked.note !== '' && (
            <p className="mb-2 wrap-anywhere">
              <b className="font-semibold text-text">{asked.note}</b>
            </p>
          )}
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
