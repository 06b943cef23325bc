// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS lays a table out
// as cards, browsers drop its implicit roles, so they are explicit.
import { Ban, CircleCheck, Pencil, ShieldMinus, ShieldPlus, Trash2, type LucideIcon } from 'lucide-react'
import { memo } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { shortDate } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { admin, userActions, users as texts } from '../../../texts/admin/admin-messages.ts'
import { Link } from '../../../ui/link.tsx'
import { TooltipArea } from '../../../ui/tooltip.tsx'
import { searchOfImages } from '../admin-address.ts'
import { accountActionsOf, type UserAction } from './user-actions.ts'
import { Cell, ColumnHeaders } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'

interface Props {
  users: readonly User[]
  ownId: string
  isOnline: boolean
  onEdit: (user: User) => void
  onAction: (user: User, action: UserAction) => void
}

const { columns } = texts
const icons: Record<UserAction, LucideIcon> = {
  promote: ShieldPlus,
  demote: ShieldMinus,
  deactivate: Ban,
  activate: CircleCheck,
  delete: Trash2,
}

/** A table on wide screens, cards on narrow ones. */
export function UserTable({ users, ...rest }: Props) {
  const names = [
    columns.email,
    columns.name,
    columns.role,
    columns.status,
    columns.images,
    columns.storage,
    columns.created,
  ]
  return (
    <div className="admin-table-box">
      <TooltipArea>
        <table role="table" className="admin-table" aria-label={texts.title}>
          <ColumnHeaders names={names} numbers={[columns.images, columns.storage]} actions={columns.actions} />
          <tbody role="rowgroup">
            {users.map((user) => (
              <Row key={user.id} user={user} {...rest} />
            ))}
          </tbody>
        </table>
      </TooltipArea>
    </div>
  )
}

const Row = memo(function Row({ user, ownId, isOnline, onEdit, onAction }: Omit<Props, 'users'> & { user: User }) {
  const { email, role, status } = user
  const isOwn = user.id === ownId
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className="admin-table-name" tabIndex={-1}>
        {email}
        {isOwn && <span className="badge ml-2">{texts.you}</span>}
        {user.deletion_at !== null && (
          <span className="badge ml-2" data-tone="danger">
            {texts.deletionOn(shortDate(user.deletion_at))}
          </span>
        )}
      </th>
      <Cell label={columns.name} isWide>
        {user.name}
      </Cell>
      <Cell label={columns.role}>
        <span className="badge" data-tone={role === 'admin' ? 'accent' : undefined}>
          {texts.roles[role]}
        </span>
      </Cell>
      <Cell label={columns.status}>
        <span className="badge badge-dot" data-tone={status === 'Active' ? 'success' : 'warning'}>
          {texts.statuses[status]}
        </span>
      </Cell>
      <Cell label={columns.images} isNumber>
        {user.imageCount === 0 ? (
          admin.number(0)
        ) : (
          <Link
            className="link"
            to={paths.admin + searchOfImages({ q: email, status: undefined })}
            aria-label={texts.imagesOf(user.imageCount, email)}
          >
            {admin.number(user.imageCount)}
          </Link>
        )}
      </Cell>
      <Cell label={columns.storage} isNumber>
        {formatBytes(user.imageBytes)}
      </Cell>
      <Cell label={columns.created}>
        <time dateTime={user.created_at}>{shortDate(user.created_at)}</time>
      </Cell>
      <td role="cell" className="admin-table-actions">
        <RowButton
          icon={Pencil}
          text={texts.edit}
          name={texts.editNamed(email)}
          isOff={!isOnline}
          onPress={() => onEdit(user)}
        />
        {accountActionsOf(user).map(([slot, action]) => (
          // Keyed by slot, so that the button that promotes becomes the one that demotes and keeps the focus.
          <RowButton
            key={slot}
            icon={icons[action]}
            text={userActions[action].label}
            name={userActions[action].named(email)}
            isDanger={action === 'delete'}
            isOff={!isOnline}
            reason={isOwn ? texts.ownAccount : undefined}
            onPress={() => onAction(user, action)}
          />
        ))}
      </td>
    </tr>
  )
})
