// Texts of the tab Invitations of the admin page.
import { days } from '../counts.ts'

const number = (n: number) => n.toLocaleString('en')

export const invites = {
  title: 'Invitations',
  count: (n: number) => `${number(n)} ${n === 1 ? 'invitation' : 'invitations'}`,
  text: {
    open: 'Anyone may register on this site. A link registers with the role that you choose.',
    invite: 'Only people with a link may register on this site.',
    closed: 'Registration is closed on this site: the links do not work until REGISTRATION is changed.',
  },
  create: 'Create invitation',
  failed: 'The invitations could not be loaded',
  noneYet: 'No invitations',
  noneYetText: 'Create one and send its link to the people who may register.',
  columns: { note: 'Note', role: 'Role', uses: 'Used', expires: 'Expires', created: 'Created', by: 'By' },
  actions: 'Actions',
  roles: { user: 'User', admin: 'Admin' },
  noNote: 'No note',
  uses: (uses: number, maxUses: number) => `${number(uses)} of ${number(maxUses)}`,
  deletedAdmin: 'Deleted account',
  delete: 'Delete',
  deleteNamed: (note: string) => `Delete the invitation ${note}`,
  deleteTitle: 'Delete this invitation?',
  deleteText: 'Its link stops working. Accounts that it has created stay.',
  deleting: 'Deleting...',
  deleted: 'Invitation deleted',
  deleteFailed: 'The invitation could not be deleted',
}

export const inviteForm = {
  title: 'Create an invitation',
  note: 'Note',
  noteHint: 'Optional, for admins: who it is for',
  role: 'Role',
  uses: 'Accounts',
  usesHint: 'How many people may register with the link',
  usesProblem: (max: number) => `Enter a whole number from 1 to ${number(max)}`,
  days: 'Valid for',
  daysIn: { '1': days(1), '7': days(7), '30': days(30), '90': days(90), '365': days(365) },
  submit: 'Create',
  busy: 'Creating...',
  done: 'Invitation created',
  failed: 'The invitation could not be created',
}

export const inviteLink = {
  title: 'Copy the link',
  field: 'Link of the invitation',
  text: 'It is shown only now. Anyone who has it can register.',
  copy: 'Copy',
  copied: 'Copied',
  toast: 'Link copied to clipboard!',
  done: 'Done',
}
