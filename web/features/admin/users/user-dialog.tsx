import { useState } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { createUser, updateUser } from './admin-users.ts'
import { errorText } from '../../../format/error-text.ts'
import { ApiError } from '../../../model/api-error.ts'
import { userForm } from '../../../texts/admin/admin-messages.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { UserFieldset } from './user-fieldset.tsx'
import {
  changesOf,
  fromGigabytes,
  newUserOf,
  type UserFields,
  fieldErrorsOf,
  needsOwnPassword,
} from './user-validation.ts'

interface Props {
  /** The account to edit; undefined: a new one. */
  user: User | undefined
  isOwn: boolean
  /** Receives the text of the success. */
  onDone: (text: string) => void
  onClose: () => void
}

/** All fields of an account, as the API has them. */
export function UserDialog({ user, isOwn, onDone, onClose }: Props) {
  const [asksPassword, setAsksPassword] = useState(false)
  const texts = user ? editTexts : createTexts
  const { problems, ...form } = useSubmit<keyof UserFields>({
    async send(element) {
      const fields = fieldsIn(element, user)
      const found = fieldErrorsOf(fields, user, inputNamed(element, 'email')?.validity.valid ?? true)
      if (Object.keys(found).length > 0) return found
      return onDone(await save(fields, user))
    },
    explain(error) {
      const code = error instanceof ApiError ? error.code : ''
      // The server's own text does not say that the email is taken, because guests must not learn who has an account.
      if (code === 'registration_failed') return userForm.emailTaken
      const text = errorText(error, texts.failed)
      return code in refusedFields ? { [refusedFields[code as keyof typeof refusedFields]]: text } : text
    },
    refocus: 'email',
  })

  return (
    <FormDialog
      {...texts}
      form={form}
      onInput={(element) => setAsksPassword(needsOwnPassword(fieldsIn(element, user), user))}
      onClose={onClose}
    >
      <UserFieldset user={user} isOwn={isOwn} errors={problems} />
      {(asksPassword || problems.currentPassword !== undefined) && (
        <OwnPasswordField error={problems.currentPassword} />
      )}
    </FormDialog>
  )
}

const createTexts = {
  title: userForm.createTitle,
  submit: userForm.create,
  busy: userForm.creating,
  failed: userForm.createFailed,
}
const editTexts = {
  title: userForm.editTitle,
  submit: userForm.save,
  busy: userForm.saving,
  failed: userForm.saveFailed,
}

/** The fields that the server's refusals are about. */
const refusedFields = { weak_password: 'password', wrong_password: 'currentPassword' } as const

/** @returns the text of the toast */
async function save(fields: UserFields, user: User | undefined): Promise<string> {
  if (user === undefined) return userForm.created((await createUser(newUserOf(fields))).email)
  const changes = changesOf(fields, user)
  const isChanged = Object.keys(changes).length > 0
  return userForm.saved(isChanged ? (await updateUser(user.id, changes)).email : user.email)
}

const inputNamed = (form: HTMLFormElement, name: string) => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : undefined
}

/** Fields that are not in the form (the admin's own role, status and password) stay unchanged. */
function fieldsIn(form: HTMLFormElement, user: User | undefined): UserFields {
  const given = new FormData(form)
  const text = (name: string) => textIn(form, name)
  return {
    email: text('email').trim(),
    password: text('password'),
    name: text('name').trim(),
    firstName: text('firstName').trim(),
    lastName: text('lastName').trim(),
    role: given.has('role') ? (text('role') as User['role']) : (user?.role ?? 'user'),
    status: given.has('status') ? (text('status') as User['status']) : (user?.status ?? 'Active'),
    currentPassword: text('currentPassword'),
    ...(user === undefined
      ? {}
      : {
          keepApiKeys: given.has('keepApiKeys'),
          quotaBytes: quotaIn(form, 'quotaBytes', user, fromGigabytes),
          quotaImages: quotaIn(form, 'quotaImages', user, (value) => (value === '' ? null : Number(value))),
        }),
  }
}

/** An unchanged field means the exact number, of which it shows two decimals. */
function quotaIn(
  form: HTMLFormElement,
  name: 'quotaBytes' | 'quotaImages',
  user: User,
  parse: (value: string) => number | null,
): number | null {
  const field = inputNamed(form, name)
  if (field === undefined || (field.value === field.defaultValue && field.validity.valid)) return user[name]
  return field.validity.valid ? parse(field.value) : NaN
}
