import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { createUser, updateUser } from './admin-users.ts'
import { ApiError, ShownError } from '../../../model/api-error.ts'
import { userForm } from '../../../texts/admin/admin-messages.ts'
import { common } from '../../../texts/messages.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { OwnPasswordField } from './own-password-field.tsx'
import { UserFieldset } from './user-fieldset.tsx'
import {
  changesOf,
  fromGigabytes,
  newUserOf,
  type UserFields,
  type FieldErrors,
  fieldErrorsOf,
  needsOwnPassword,
} from './user-validation.ts'

interface Props {
  /** The account to edit; undefined: a new one. */
  user: User | undefined
  isOwn: boolean
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  onClose: () => void
}

/** All fields of an account, as the API has them. */
export function UserDialog({ user, isOwn, attempt, onClose }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusal, setRefusal] = useState<string>()
  const [asksPassword, setAsksPassword] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const ownPassword = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const fields = fieldsIn(event.currentTarget, user)
    const found = fieldErrorsOf(fields, user, inputNamed(event.currentTarget, 'email')?.validity.valid ?? true)
    setRefusal(undefined)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) return inputNamed(event.currentTarget, first)?.focus()
    setBusy(true)
    let refused: keyof UserFields | undefined
    const reason = await attempt(
      () =>
        save(fields, user).catch((error: unknown) => {
          if (error instanceof ApiError) refused = refusedFields[error.code]
          return sayTaken(error)
        }),
      user ? userForm.saveFailed : userForm.createFailed,
    )
    setBusy(false)
    if (reason === undefined) return form.current?.closest('dialog')?.close()
    if (refused !== undefined) {
      setErrors({ [refused]: reason })
      return form.current ? inputNamed(form.current, refused)?.focus() : undefined
    }
    setRefusal(reason)
    form.current?.querySelector('input')?.focus()
  }

  const [todo, doing] = user ? [userForm.save, userForm.saving] : [userForm.create, userForm.creating]
  return (
    <Dialog title={user ? userForm.editTitle : userForm.createTitle} closeLabel={common.close} onClose={onClose}>
      <form
        ref={form}
        className="grid gap-5"
        noValidate
        onSubmit={submit}
        onInput={({ currentTarget }) => setAsksPassword(needsOwnPassword(fieldsIn(currentTarget, user), user))}
        aria-describedby={refusal && `${id}refusal`}
      >
        <UserFieldset
          id={id}
          user={user}
          isOwn={isOwn}
          errors={errors}
          onChange={(field) => setErrors({ ...errors, [field]: undefined })}
        />
        {(asksPassword || errors.currentPassword !== undefined) && (
          <OwnPasswordField
            id={`${id}own`}
            field={ownPassword}
            error={errors.currentPassword}
            onLength={() => setErrors({ ...errors, currentPassword: undefined })}
          />
        )}
        {refusal !== undefined && (
          <p
            id={`${id}refusal`}
            role="alert"
            className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text wrap-anywhere"
          >
            {refusal}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className="btn btn-quiet" onClick={() => form.current?.closest('dialog')?.close()}>
            {common.cancel}
          </button>
          <button type="submit" className="btn btn-primary" disabled={isBusy}>
            {isBusy ? doing : todo}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The fields that the server's refusals are about. */
const refusedFields: Record<string, keyof UserFields> = {
  weak_password: 'password',
  wrong_password: 'currentPassword',
}

/** The server's own text does not say that the email is taken, because guests must not learn who has an account. */
function sayTaken(error: unknown): never {
  if (error instanceof ApiError && error.code === 'registration_failed') throw new ShownError(userForm.emailTaken)
  throw error
}

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
  const text = (name: string) => {
    const value = given.get(name)
    return typeof value === 'string' ? value : ''
  }
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
