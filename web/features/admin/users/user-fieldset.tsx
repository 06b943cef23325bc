import { useRef, useState, type ComponentProps } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { admin, userForm, users } from '../../../texts/admin/admin-messages.ts'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { QuotaBar } from '../../../ui/quota-bar.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { roles, statuses } from '../admin-address.ts'
import { toGigabytes, type UserFields, type FieldErrors } from './user-validation.ts'

const { maxEmailLength, maxNameLength } = limits.account

interface Props {
  id: string
  user: User | undefined
  isOwn: boolean
  errors: FieldErrors
  onChange: (field: keyof UserFields) => void
}

export function UserFieldset({ id, user, isOwn, errors, onChange }: Props) {
  const password = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState(user?.role ?? 'user')
  const [status, setStatus] = useState(user?.status ?? 'Active')
  const [hasPassword, setHasPassword] = useState(false)
  const [keepsKeys, setKeepsKeys] = useState(false)
  const text = { errors, onChange, id }
  return (
    <>
      <TextField
        {...text}
        name="email"
        label={userForm.email}
        type="email"
        defaultValue={user?.email}
        maxLength={maxEmailLength}
        required
      />
      {isOwn ? (
        <p className="text-dense text-text-2">{userForm.ownPassword}</p>
      ) : (
        <LabelledField
          id={`${id}password`}
          label={user ? userForm.newPassword : userForm.password}
          hint={user ? userForm.newPasswordHint : userForm.passwordRule}
          error={errors.password}
        >
          <PasswordField
            id={`${id}password`}
            field={password}
            isNew
            isRequired={user === undefined}
            isInvalid={errors.password !== undefined}
            describedBy={`${id}passwordhint`}
            onLength={(length) => {
              setHasPassword(length > 0)
              onChange('password')
            }}
          />
        </LabelledField>
      )}
      {user !== undefined && hasPassword && (
        <Checkbox
          name="keepApiKeys"
          label={userForm.keepKeys}
          text={userForm.keepKeysText}
          isChecked={keepsKeys}
          onChange={setKeepsKeys}
        />
      )}
      <TextField
        {...text}
        name="name"
        label={userForm.name}
        hint={user ? undefined : userForm.nameHint}
        defaultValue={user?.name}
        required={user !== undefined}
      />
      <div className="form-pair">
        <TextField {...text} name="firstName" label={userForm.firstName} defaultValue={user?.firstName} />
        <TextField {...text} name="lastName" label={userForm.lastName} defaultValue={user?.lastName} />
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
      {user !== undefined && <QuotaFields {...text} user={user} />}
      {user !== undefined && !isOwn && <p className="text-meta text-text-2">{userForm.sessions}</p>}
    </>
  )
}

const maxGigabytes = limits.quota.maxBytes / 1024 ** 3

/** The user's own quotas, with what is used of those in force. */
function QuotaFields({ user, ...text }: Pick<Props, 'id' | 'errors' | 'onChange'> & { user: User }) {
  const { imageCount, imageBytes, quota } = user
  const used = userForm.usage(imageCount, formatBytes(imageBytes))
  const limitOf = (limit: number, format: (n: number) => string) => (limit === 0 ? userForm.noLimit : format(limit))
  return (
    <div className="grid gap-3">
      <div className="form-pair">
        <TextField
          {...text}
          name="quotaBytes"
          label={userForm.quotaBytes}
          hint={userForm.quotaHint(limitOf(quota.bytes, formatBytes))}
          type="number"
          min={0}
          max={maxGigabytes}
          step="any"
          defaultValue={toGigabytes(user.quotaBytes)}
        />
        <TextField
          {...text}
          name="quotaImages"
          label={userForm.quotaImages}
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

type InputProps = Pick<
  ComponentProps<'input'>,
  'type' | 'required' | 'maxLength' | 'defaultValue' | 'min' | 'max' | 'step'
>

interface TextFieldProps extends InputProps, Pick<Props, 'id' | 'errors' | 'onChange'> {
  name: Exclude<keyof UserFields, 'role' | 'status' | 'password' | 'currentPassword'>
  label: string
  hint?: string | undefined
}

function TextField({ id, name, label, hint, errors, onChange, ...input }: TextFieldProps) {
  return (
    <LabelledField id={id + name} label={label} hint={hint} error={errors[name]}>
      <input
        id={id + name}
        className="field"
        name={name}
        // It is another user's account: the browser must not fill in the admin's own data.
        autoComplete="off"
        maxLength={maxNameLength}
        aria-invalid={errors[name] !== undefined}
        aria-describedby={`${id}${name}hint`}
        onChange={() => onChange(name)}
        {...input}
      />
    </LabelledField>
  )
}
