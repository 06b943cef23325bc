// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in the other tables of the admin page
import { Trash2 } from 'lucide-react'
import type { Invite } from '../../../../contract/endpoints/invites.ts'
import { dateAndTime, shortDate } from '../../../format/dates.ts'
import { invites as texts } from '../../../texts/admin/invites-messages.ts'
import { Cell, ColumnHeaders } from '../../../ui/card-table.tsx'
import { TooltipArea } from '../../../ui/tooltip.tsx'
import { RowButton } from '../row-button.tsx'

const { columns } = texts

interface Props {
  invites: readonly Invite[]
  isOff: boolean
  onDelete: (invite: Invite) => void
}

/** A table on wide screens, cards on narrow ones. */
export function InviteTable({ invites, isOff, onDelete }: Props) {
  return (
    <div className="admin-table-box">
      <TooltipArea>
        <table role="table" className="admin-table" aria-label={texts.title}>
          <ColumnHeaders names={Object.values(columns)} actions={texts.actions} />
          <tbody role="rowgroup">
            {invites.map((invite) => (
              <InviteRow key={invite.id} invite={invite} isOff={isOff} onDelete={() => onDelete(invite)} />
            ))}
          </tbody>
        </table>
      </TooltipArea>
    </div>
  )
}

function InviteRow({ invite, isOff, onDelete }: { invite: Invite; isOff: boolean; onDelete: () => void }) {
  const { note, role, uses, maxUses, expiresAt, createdAt, createdBy } = invite
  const name = note === '' ? texts.noNote : note
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className="admin-table-name">
        {name}
      </th>
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
      <td role="cell" className="admin-table-actions">
        <RowButton
          icon={Trash2}
          text={texts.delete}
          name={texts.deleteNamed(name)}
          isDanger
          isOff={isOff}
          onPress={onDelete}
        />
      </td>
    </tr>
  )
}
