import { Ban, CircleCheck, Pencil, ShieldMinus, ShieldPlus, Trash2, type LucideIcon } from 'lucide-react'
import { memo } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { shortDate } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { admin, userActions, users as texts } from '../../../texts/admin/admin-messages.ts'
import { Link } from '../../../ui/link.tsx'
import { searchOfImages } from '../admin-address.ts'
import { accountActionsOf, type UserAction } from './user-actions.ts'
import { CardRow, CardTable, Cell } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'

interface Props {
  users: readonly User[]
  ownId: string
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

export const UserTable = ({ users, ...rest }: Props) => (
  <CardTable
    className="user-table"
    label={texts.title}
    columns={[
      columns.email,
      columns.name,
      columns.role,
      columns.status,
      columns.images,
      columns.storage,
      columns.created,
    ]}
    numbers={[columns.images, columns.storage]}
    actions={columns.actions}
  >
    {users.map((user) => (
      <Row key={user.id} user={user} {...rest} />
    ))}
  </CardTable>
)

const Row = memo(function Row({ user, ownId, onEdit, onAction }: Omit<Props, 'users'> & { user: User }) {
  const { email, role, status } = user
  const isOwn = user.id === ownId
  return (
    <CardRow
      head={
        <>
          {email}
          {isOwn && <span className="badge ml-2">{texts.you}</span>}
          {user.deletion_at !== null && (
            <span className="badge ml-2" data-tone="danger">
              {texts.deletionOn(shortDate(user.deletion_at))}
            </span>
          )}
        </>
      }
      actions={
        <>
          <RowButton icon={Pencil} text={texts.edit} name={texts.editNamed(email)} onPress={() => onEdit(user)} />
          {accountActionsOf(user).map(([slot, action]) => (
            // Keyed by slot, so that the button that promotes becomes the one that demotes and keeps the focus.
            <RowButton
              key={slot}
              icon={icons[action]}
              text={userActions[action].label}
              name={userActions[action].named(email)}
              isDanger={action === 'delete'}
              reason={isOwn ? texts.ownAccount : undefined}
              onPress={() => onAction(user, action)}
            />
          ))}
        </>
      }
    >
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
    </CardRow>
  )
})
