import { useRef, useState } from 'react'
import type { User } from '../../../contract/accounts.ts'
import { limits } from '../../../contract/limits.ts'
import { userForm, users } from '../../texts/admin-messages.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { Select } from '../../ui/select.tsx'
import { roles, statuses } from './admin-address.ts'
import { LabelledField, TextField } from './labelled-field.tsx'
import type { UserFields, FieldErrors } from './user-validation.ts'

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
  const text = { errors, onChange, id }
  return (
    <>
      <TextField
        {...text}
        name="email"
        label={userForm.email}
        type="email"
        value={user?.email}
        maxLength={maxEmailLength}
        isRequired
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
            showLabel={userForm.showPassword}
            field={password}
            isNew
            isRequired={user === undefined}
            isInvalid={errors.password !== undefined}
            describedBy={`${id}passwordhint`}
            onLength={() => onChange('password')}
          />
        </LabelledField>
      )}
      <TextField
        {...text}
        name="name"
        label={userForm.name}
        hint={user ? undefined : userForm.nameHint}
        value={user?.name}
        maxLength={maxNameLength}
        isRequired={user !== undefined}
      />
      <div className="form-pair">
        <TextField
          {...text}
          name="firstName"
          label={userForm.firstName}
          value={user?.firstName}
          maxLength={maxNameLength}
        />
        <TextField
          {...text}
          name="lastName"
          label={userForm.lastName}
          value={user?.lastName}
          maxLength={maxNameLength}
        />
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
      {user !== undefined && !isOwn && <p className="text-meta text-text-2">{userForm.sessions}</p>}
    </>
  )
}
