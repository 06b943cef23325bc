import { useState } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { admin, userForm, users } from '../../../texts/admin/admin-messages.ts'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { QuotaBar } from '../../../ui/quota-bar.tsx'
import { roles, statuses } from '../admin-address.ts'
import { toGigabytes, type UserFields, type FieldErrors } from './user-validation.ts'

const { maxEmailLength, maxNameLength } = limits.account

interface Props {
  user: User | undefined
  isOwn: boolean
  errors: FieldErrors
}

export function UserFieldset({ user, isOwn, errors }: Props) {
  const [role, setRole] = useState(user?.role ?? 'user')
  const [status, setStatus] = useState(user?.status ?? 'Active')
  return (
    <>
      <TextField
        {...fieldOf('email', errors)}
        type="email"
        defaultValue={user?.email}
        maxLength={maxEmailLength}
        required
      />
      {isOwn ? (
        <p className="text-dense text-text-2">{userForm.ownPassword}</p>
      ) : (
        <NewPasswordFields user={user} error={errors.password} />
      )}
      <TextField
        {...fieldOf('name', errors)}
        hint={user ? undefined : userForm.nameHint}
        defaultValue={user?.name}
        required={user !== undefined}
      />
      <div className="form-pair">
        <TextField {...fieldOf('firstName', errors)} defaultValue={user?.firstName} />
        <TextField {...fieldOf('lastName', errors)} defaultValue={user?.lastName} />
      </div>
      {isOwn ? (
        <p className="text-dense text-text-2">{users.ownAccount}</p>
      ) : (
        <div className="form-pair">
          <Select
            label={userForm.role}
            hasLabel
            name="role"
            value={role}
            options={roles.map((one) => [one, users.roles[one]])}
            onChange={setRole}
          />
          <Select
            label={userForm.status}
            hasLabel
            name="status"
            value={status}
            options={statuses.map((one) => [one, users.statuses[one]])}
            onChange={setStatus}
          />
        </div>
      )}
      {user !== undefined && <QuotaFields user={user} errors={errors} />}
      {user !== undefined && !isOwn && <p className="text-meta text-text-2">{userForm.sessions}</p>}
    </>
  )
}

function NewPasswordFields({ user, error }: { user: User | undefined; error: string | undefined }) {
  const [hasPassword, setHasPassword] = useState(false)
  const [keepsKeys, setKeepsKeys] = useState(false)
  return (
    <>
      <PasswordField
        name="password"
        label={user ? userForm.newPassword : userForm.password}
        hint={user ? userForm.newPasswordHint : userForm.passwordRule}
        error={error}
        isNew
        isRequired={user === undefined}
        onText={(text) => setHasPassword(text !== '')}
      />
      {user !== undefined && hasPassword && (
        <Checkbox
          name="keepApiKeys"
          label={userForm.keepKeys}
          text={userForm.keepKeysText}
          isChecked={keepsKeys}
          onChange={setKeepsKeys}
        />
      )}
    </>
  )
}

const maxGigabytes = limits.quota.maxBytes / 1024 ** 3

/** The user's own quotas, with what is used of those in force. */
function QuotaFields({ user, errors }: { user: User; errors: FieldErrors }) {
  const { imageCount, imageBytes, quota } = user
  const used = userForm.usage(imageCount, formatBytes(imageBytes))
  const limitOf = (limit: number, format: (n: number) => string) => (limit === 0 ? userForm.noLimit : format(limit))
  return (
    <div className="grid gap-3">
      <div className="form-pair">
        <TextField
          {...fieldOf('quotaBytes', errors)}
          hint={userForm.quotaHint(limitOf(quota.bytes, formatBytes))}
          type="number"
          min={0}
          max={maxGigabytes}
          step="any"
          defaultValue={toGigabytes(user.quotaBytes)}
        />
        <TextField
          {...fieldOf('quotaImages', errors)}
          hint={userForm.quotaHint(limitOf(quota.images, admin.number))}
          type="number"
          min={0}
          max={limits.quota.maxImages}
          step={1}
          defaultValue={user.quotaImages ?? ''}
        />
      </div>
      <p className="text-meta text-text-2 tabular-nums">{used}</p>
      <QuotaBar used={imageBytes} limit={quota.bytes} label={userForm.quotaUsed} text={used} />
    </div>
  )
}

type TextName = Exclude<keyof UserFields, 'role' | 'status' | 'password' | 'currentPassword' | 'keepApiKeys'>

const fieldOf = (name: TextName, errors: FieldErrors) => ({
  name,
  label: userForm[name],
  error: errors[name],
  maxLength: maxNameLength,
  // It is another user's account: the browser must not fill in the admin's own data.
  autoComplete: 'off',
})
