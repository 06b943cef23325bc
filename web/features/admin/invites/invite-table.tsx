// The invites on the admin page, one row each, with a button that deletes.
import { Trash2 } from 'lucide-react'
import type { Invite } from '../../../../contract/endpoints/invites.ts'
import { dateAndTime, shortDate } from '../../../format/dates.ts'
import { invites as texts } from '../../../texts/admin/invites-messages.ts'
import { CardRow, CardTable, Cell } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'

const { columns } = texts

interface Props {
  invites: readonly Invite[]
  onDelete: (invite: Invite) => void
}

export const InviteTable = ({ invites, onDelete }: Props) => (
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
