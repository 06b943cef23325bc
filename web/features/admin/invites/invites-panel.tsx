import { UserPlus, Trash2 } from 'lucide-react'
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
import { dateAndTime, shortDate } from '../../../format/dates.ts'
import { CardRow, CardTable, Cell } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'

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
          subject={asked.note}
          confirm={texts.delete}
          busy={texts.deleting}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const { columns } = texts

interface Props {
  invites: readonly Invite[]
  onDelete: (invite: Invite) => void
}

const InviteTable = ({ invites, onDelete }: Props) => (
  <CardTable label={texts.title} columns={Object.values(columns)} actions={texts.actions}>
    {invites.map((invite) => (
      <Row key={invite.id} invite={invite} onDelete={() => onDelete(invite)} />
    ))}
  </CardTable>
)

function Row({ invite, onDelete }: { invite: Invite; onDelete: () => void }) {
  const { note, role, uses, maxUses, expiresAt, createdAt, createdBy } = invite
  const name = note === '' ? texts.noNote : note
  return (
    <CardRow
      head={name}
      actions={
        <RowButton
          icon={Trash2}
          text={texts.delete}
          name={texts.deleteNamed(name)}
          isDanger

          onPress={onDelete}
        />
      }
    >
      <Cell label={columns.role}>{texts.roles[role]}</Cell>
      <Cell label={columns.uses}>{texts.uses(uses, maxUses)}</Cell>
      <Cell label={columns.expires}>
        <time dateTime={expiresAt} title={dateAndTime(expiresAt)}>
          {shortDate(expiresAt)}
        </time>
      </Cell>
      <Cell label={columns.created}>
        <time dateTime={createdAt}>{shortDate(createdAt)}</time>
      </Cell>
      <Cell label={columns.by}>{createdBy ?? texts.deletedAdmin}</Cell>
    </CardRow>
  )
}
